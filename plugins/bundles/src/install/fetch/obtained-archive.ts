import type {PluginSource} from '@gemini-kernel/admission';
import type {ObtainedProvenance} from './provenance/obtain-provenance.js';

/** An archive whose bytes match its source. */
export interface ObtainedArchive extends ObtainedProvenance {
  readonly bytes: Buffer;
  readonly integrity: string;
  readonly source: PluginSource;
  readonly published?: Date;
  /** A newer version that is not old enough yet. */
  readonly tooYoung?: string;
  readonly deprecated?: string;
}
