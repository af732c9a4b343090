import {homedir, userInfo} from 'node:os';
import {findPlaces, type Places} from '@gemini-kernel/admission/start';
import {refuseForeignHome} from './foreign-home.js';
import {settleVariables} from './settle-variables.js';

/**
 * Where this process keeps things, after its variables were corrected and its home was checked. Throws KernelError
 * HOME_MISSING or HOME_FOREIGN.
 */
export function settlePlaces(): Places {
  settleVariables(process.env, userInfo);
  refuseForeignHome(process.env['GEMINI_CLI_HOME'] ?? homedir());
  return findPlaces({platform: process.platform, user: homedir(), variables: process.env});
}
