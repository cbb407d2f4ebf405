interface Section {
  commit: string;
  date: string;
  code: string;
  rows: object[];
}

export const MEASURED: Record<string, string[]>;
export function readRecord(): Record<string, Section>;
export function withTable(page: string, sections: Record<string, Section>): string;
