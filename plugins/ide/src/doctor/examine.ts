import type {Environment} from '@gemini-kernel/kernel';
import type {Ide, IdeCheck} from '../contract.js';
import {examineConnection} from './examine-connection.js';
import {checkAncestors, checkFiles, checkSetting, checkTerminal, checkVariables} from './examine-surroundings.js';

export interface ExamineParts {
  readonly ide: Ide;
  readonly environment: Pick<Environment, 'cwd' | 'platform' | 'variables' | 'temporary'>;
  /** The value of `ide.enabled`. */
  readonly isEnabled: boolean;
  readonly signal: AbortSignal;
}

/**
 * Checks the connection to the person's editor step by step, whatever the setting is, and reports the result and the
 * next action. It stays connected. Throws the signal's reason only.
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
