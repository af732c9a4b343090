import {homedir, userInfo} from 'node:os';
import {refuseForeignHome} from './foreign-home.js';
import {findPlaces, settleVariables, type Places} from './places.js';

/**
 * Where this process keeps things, after its variables were corrected and its home was checked. Throws KernelError
 * HOME_MISSING or HOME_FOREIGN.
 */
export function settlePlaces(): Places {
  settleVariables(process.env, userInfo);
  refuseForeignHome(process.env['GEMINI_CLI_HOME'] ?? homedir());
  return findPlaces({platform: process.platform, user: homedir(), variables: process.env});
}
