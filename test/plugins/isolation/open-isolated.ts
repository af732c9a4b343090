import {findBubblewrap} from '#plugins/sandbox/dist/linux/find-bubblewrap.js';
import {where} from '../../helpers/where.js';

export {openIsolated} from './open-kernel.js';

const found = await findBubblewrap();

/** A test that needs a sandbox; elsewhere its name says why it was left out. */
export const testIsolated = where(!('sentence' in found), 'sentence' in found ? found.sentence : 'bubblewrap');
