import type {SymbolKind} from '../contract.js';

/** Symbols whose uses cannot be distinguished without types. */
export const MEMBERS: readonly SymbolKind[] = ['member', 'method', 'property'];
