import type {SymbolKind} from '../contract.js';

/** Symbols whose uses cannot be told apart without types. */
export const MEMBERS: readonly SymbolKind[] = ['member', 'method', 'property'];
