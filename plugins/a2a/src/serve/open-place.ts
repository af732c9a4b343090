import type {Session} from '@gemini-kernel/kernel/host';
import {SERVED} from '../present.js';
import type {Grant} from '../tokens/tokens.js';
import type {Setup} from './setup.js';

/** Opens the folder of a grant, with its mode. */
export function openPlace({kernel, isConfined}: Setup, grant: Grant): Session {
  const {variables, flags} = kernel.environment;
  return kernel.open({
    cwd: grant.directory,
    variables: {...variables, [SERVED]: grant.id},
    flags: {...flags, 'general.defaultApprovalMode': grant.mode, ...(isConfined ? {'tools.sandbox': true} : {})},
    interactive: false,
  });
}
