import type {Border} from '../contract/border.js';
import type {Catalog} from '../catalog/catalog.js';
import type {Load} from './load.js';
import type {Trace} from './trace.js';

/** What all parts of one kernel share. */
export interface Core {
  readonly catalog: Catalog;
  readonly load: Load;
  readonly trace: Trace;
  readonly border: Border;
}
