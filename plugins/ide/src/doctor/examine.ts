import type {Environment} from '@gemini-kernel/kernel';
import type {Ide, IdeCheck} from '../contract.js';
import {examineConnection} from './examine-connection.js';
import {checkAncestors, checkFiles, checkSetting, checkTerminal, checkVariables} from './examine-surroundings.js';

export interface ExamineParts {
  readonly ide: Ide;
  readonly environment: Pick<Environment, 'cwd' | 'platform' | 'variables' | 'temporary'>;
  /** What `ide.enabled` says. */
  readonly isEnabled: boolean;
  readonly signal: AbortSignal;
}

/**
 * Goes the way to the person's editor step by step, whatever the setting says, and tells how far it came and what to do
 * next. It stays connected. Throws the signal's reason only.
 */
export async function examineIde({ide, environment, isEnabled, signal}: ExamineParts): Promise<readonly IdeCheck[]> {
  const discovery = await ide.discover();
  const surroundings = [
    checkSetting(isEnabled),
    checkTerminal(discovery),
    checkVariables(environment),
    await checkAncestors(environment, signal),
  ];
  return [
    ...surroundings,
    ...checkFiles(discovery),
    ...(await examineConnection({ide, environment, discovery, signal})),
  ];
}
