import {release} from 'node:os';
import {version as nodeVersion} from 'node:process';
import type {Environment} from '@gemini-kernel/kernel';

/** What a report of a problem needs: nothing of it is secret. */
export interface About {
  readonly version: string;
  readonly node: string;
  readonly system: string;
  readonly model: string;
  readonly mode: string;
  readonly terminal: string;
}

interface Given extends Pick<About, 'version' | 'model' | 'mode'> {
  readonly arch: string;
  readonly environment: Pick<Environment, 'platform' | 'variables'>;
}

/** Versions, system, model and mode. */
export function aboutOf({version, arch, model, mode, environment: {platform, variables}}: Given): About {
  const program = variables['TERM_PROGRAM'];
  return {
    ...{version, node: nodeVersion, system: `${platform} ${release()} ${arch}`, model, mode},
    terminal: [variables['TERM'] ?? 'none', ...(program ? [program] : [])].join(', '),
  };
}
