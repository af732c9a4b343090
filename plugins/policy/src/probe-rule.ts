import type {Rule} from './rule.js';

/** No tool has this name; the call that a working engine must refuse has it. */
export const PROBE_TOOL = 'policy_guard_probe';

/**
 * Stands among the rules of the administrator, so that only an engine that reads, orders and looks up rules refuses the
 * probe.
 */
export const probeRule: Rule = {
  id: 'guard-probe',
  description: 'Shows that rules are read and followed.',
  source: {tier: 'admin', label: 'built in'},
  decision: 'deny',
  priority: 999,
  tools: [PROBE_TOOL],
  allowRedirection: false,
  sensitive: false,
  message: 'This call is made only to be refused.',
};
