/** Planted bug: the file that it changes, relative to the root, and the change. */
export interface Patch {
  file: string;
  apply(source: string): string;
}
export function plantedBugs(): string[];
export function readPatch(name: string): Patch;
export function bundleSimulation(entry: string, outfile: string, patch?: Patch | null): Promise<void>;
