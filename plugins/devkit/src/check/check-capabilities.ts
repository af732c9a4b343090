import {includesCapability} from '@gemini-kernel/kernel/host';
import type {ToolEntry} from '@gemini-kernel/kernel/host';
import {readEvidence, type Evidence} from './code-evidence.js';
import {findingsOf, type Finding, type Subject} from './subject.js';

export interface CapabilityReport {
  readonly declared: readonly string[];
  /** The capabilities that its code and manifest need, each with the evidence. */
  readonly seen: readonly {readonly capability: string; readonly by: readonly string[]}[];
}

const EFFECTS: Partial<Readonly<Record<ToolEntry['effect'], readonly string[]>>> = {
  read: ['fs:read'],
  search: ['fs:read'],
  edit: ['fs:write'],
  delete: ['fs:write'],
  move: ['fs:write'],
  execute: ['process'],
  fetch: ['net'],
};

/** Compares the declared capabilities with the visible uses. Uses in code that cannot be read are not seen. */
export function checkCapabilities(subject: Subject): {
  readonly findings: readonly Finding[];
  readonly report: CapabilityReport;
} {
  const {manifest, code, isOfProduct} = subject;
  // What it asks for later is declared as well.
  const declared = [...(manifest.capabilities ?? []), ...(manifest.optional ?? [])];
  const inCode = [...code].flatMap(([file, text]) => readEvidence(file, text));
  const inManifest = readManifestEvidence(subject);
  const all = [...inCode, ...inManifest];
  const names = [...new Set(all.map(nameOf))].sort();
  const report: CapabilityReport = {
    declared,
    seen: names.map((capability) => ({
      capability,
      by: [...new Set(all.filter((one) => nameOf(one) === capability).map(({by}) => by))],
    })),
  };
  // Plugins of the product were approved with the product.
  if (isOfProduct) return {findings: [], report};
  const undeclared = (evidence: readonly Evidence[]): readonly string[] => {
    const missing = evidence.filter(({needs}) => !needs.some((need) => declared.some((one) => covers(one, need))));
    return [...new Set(missing.map(nameOf))].map(
      (name) =>
        `${missing.find((one) => nameOf(one) === name)?.by ?? ''}, but ${exampleOf(name)} is not declared. Add it ` +
        'to "gemini.capabilities" in package.json.',
    );
  };
  const unused = declared.filter((one) => !all.some(({needs}) => needs.some((need) => covers(one, need))));
  const findings = [
    ...findingsOf('error', 'capabilities', undeclared(inCode)),
    ...findingsOf(
      'warning',
      'capabilities',
      undeclared(inManifest.filter((one) => !inCode.some((other) => nameOf(other) === nameOf(one)))),
    ),
    ...findingsOf(
      'warning',
      'capabilities',
      unused.map((one) => `It declares ${one}, but no visible code uses it.`),
    ),
  ];
  return {findings, report};
}

function readManifestEvidence({manifest, others}: Subject): readonly Evidence[] {
  const tools = manifest.tools.flatMap(({name, effect}) =>
    EFFECTS[effect] ? [{needs: EFFECTS[effect], by: `The tool ${name} has the effect ${effect}`}] : [],
  );
  const required = Object.keys({...manifest.requires.services, ...manifest.requires.optional});
  const provided = others.flatMap((plugin) => plugin.manifest.services);
  const services = required.flatMap((name) => {
    const kinds = provided
      .filter((one) => one.name === name || (name.endsWith(':*') && one.name.startsWith(name.slice(0, -1))))
      .flatMap(({capability}) => capability ?? []);
    if (name === 'agent' || name.startsWith('model:')) kinds.push('model');
    return [...new Set(kinds)].map((kind) => ({needs: [kind], by: `It requires the service ${name}`}));
  });
  return [...tools, ...services];
}

/** Whether a declared capability satisfies a need: `net:example.com` covers a need of `net`. */
function covers(declared: string, need: string): boolean {
  return (
    includesCapability(declared, need) ||
    declared.startsWith(`${need}:`) ||
    (need === 'env:*' && declared.startsWith('env:'))
  );
}

function nameOf({needs}: Evidence): string {
  return needs.join(' or ');
}

function exampleOf(name: string): string {
  return name === 'net' ? 'net:<host>' : name === 'env' ? 'env:<NAME>' : name;
}
