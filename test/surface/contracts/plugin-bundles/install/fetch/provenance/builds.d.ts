import type { Provenance } from '@gemini-kernel/admission';
export interface FetchedArchive {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}
export interface BuildProof {
  readonly provenance?: Provenance;
  readonly unproven?: string;
}
export interface Builds {
  prove(archive: FetchedArchive): Promise<BuildProof>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    builds: Builds;
  }
}
