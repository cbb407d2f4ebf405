export const TEST_CURRENCY: string;
