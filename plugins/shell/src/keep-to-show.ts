import {KeptOutput} from './kept-output.js';
import {HEAD_SHARE} from './show-output.js';

/** Escape sequences and wide characters make the shown text shorter than the kept bytes. */
const KEPT_PER_SHOWN = 4;

/** Room for an output of which so many characters are shown. */
export function keepToShow(shown: number): KeptOutput {
  const bytes = (share: number): number => Math.ceil(shown * share) * KEPT_PER_SHOWN;
  return new KeptOutput({head: bytes(HEAD_SHARE), tail: bytes(1 - HEAD_SHARE)});
}
