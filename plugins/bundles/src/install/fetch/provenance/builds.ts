import type {Provenance} from '@gemini-kernel/admission';
import type {} from '@gemini-kernel/kernel';

/** An archive that was fetched from the person's registry. */
export interface FetchedArchive {
  readonly name: string;
  readonly version: string;
  /** Of the bytes that were fetched, with SHA-512, as npm writes it. */
  readonly integrity: string;
}

export interface BuildProof {
  /** Where it was built, if that is proven. */
  readonly provenance?: Provenance;
  /** Why an attestation that the registry lists proves nothing, as a clause. */
  readonly unproven?: string;
}

/** The service `builds`: where a package of npm was built, as plugins prove it. */
export interface Builds {
  /**
   * Nothing is known of a package without attestations. Throws KernelError PROVENANCE_BROKEN for one whose attestations
   * do not verify or are about other bytes, INSTALL_UNREACHABLE when they cannot be fetched, and MANAGED_UNMET when the
   * administrator's rules cannot be used.
   */
  prove(archive: FetchedArchive): Promise<BuildProof>;
}

declare module '@gemini-kernel/kernel' {
  interface Services {
    builds: Builds;
  }
}
