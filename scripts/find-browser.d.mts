export function findBrowser(): Promise<string>;
export function findBrowsers(): Promise<{ CHROMIUM_PATH: string; HEADLESS_SHELL_PATH: string }>;
