import * as helpers from '../../helpers/built-module.js';

/** A module of the built plugin. */
export function builtModule<M>(name: string): Promise<M> {
  return helpers.builtModule<M>('sessions', name);
}
