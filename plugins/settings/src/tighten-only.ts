import {isObject, type JSONObject} from './key-path.js';

/**
 * Of these keys a bundle that a person applied can say only the values listed: everything else would loosen what the
 * person decides alone.
 */
const KEYS: readonly (readonly [readonly string[], readonly unknown[]])[] = [
  [['security', 'folderTrust', 'enabled'], [true]],
  [['security', 'disableYoloMode'], [true]],
  [['security', 'disableAlwaysAllow'], [true]],
  [['security', 'enablePermanentToolApproval'], [false]],
  [['security', 'autoAddToPolicyByDefault'], [false]],
  [['security', 'requireGuards'], [true]],
  [['security', 'environmentVariableRedaction', 'enabled'], [true]],
  [['security', 'environmentVariableRedaction', 'allowed'], []],
  [['security', 'checkers'], []],
  [
    ['general', 'defaultApprovalMode'],
    ['default', 'plan'],
  ],
  [['tools', 'allowed'], []],
  [['mcp', 'autoAllowInHeadless'], [false]],
  [['mcpServers', '*', 'trust'], [false]],
  [['mcpServers', '*', 'sampling'], [false]],
  [['context', 'includeDirectories'], []],
  [['policyPaths'], []],
  [['adminPolicyPaths'], []],
];

/** The settings without what would loosen something, and the keys that were left out. */
export function tightenOnly(values: JSONObject): {readonly values: JSONObject; readonly left: readonly string[]} {
  const left: string[] = [];
  const kept = structuredClone(values) as Record<string, unknown>;
  for (const [path, allowed] of KEYS) leaveOut({values: kept, path, allowed, at: []}, left);
  return {values: kept, left};
}

interface Place {
  readonly values: Record<string, unknown>;
  readonly path: readonly string[];
  readonly allowed: readonly unknown[];
  readonly at: readonly string[];
}

function leaveOut({values, path, allowed, at}: Place, left: string[]): void {
  const [name = '', ...rest] = path;
  for (const key of name === '*' ? Object.keys(values) : [name]) {
    if (!Object.hasOwn(values, key)) continue;
    const value = values[key];
    if (rest.length > 0 && isObject(value)) leaveOut({values: value, path: rest, allowed, at: [...at, key]}, left);
    else if (rest.length === 0 && !allowed.includes(value)) {
      delete values[key];
      left.push([...at, key].join('.'));
    }
  }
}
