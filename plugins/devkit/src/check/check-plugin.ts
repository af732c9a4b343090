import type {Catalog} from '@gemini-kernel/kernel/host';
import type {Packing} from '../pack-with-npm.js';
import {checkAdmission, checkErrors} from './check-admission.js';
import {checkBudget, type Budget} from './check-budget.js';
import {checkCapabilities, type CapabilityReport} from './check-capabilities.js';
import {checkCompatibility} from './check-compatibility.js';
import {checkDocs} from './check-docs.js';
import {checkFiles} from './check-files.js';
import {checkNames} from './check-names.js';
import {checkServices} from './check-services.js';
import {checkSettings} from './check-settings.js';
import {checkTravel} from './check-travel.js';
import {readSubject} from './read-subject.js';
import {findingsOf, type Finding} from './subject.js';

export interface Checked {
  readonly name: string;
  /** What to fix, errors first; empty when the plugin is ready to be packed. */
  readonly findings: readonly Finding[];
  readonly report: Budget & {readonly capabilities: CapabilityReport};
}

/**
 * Checks a compiled plugin against this catalog and for its readers. Without `mayImport`, its code does not run, and
 * only its files are checked. Throws KernelError BUILD_INVALID when it cannot be built.
 */
export async function checkPlugin(
  packing: Packing,
  catalog: Pick<Catalog, 'plugins' | 'host'>,
  mayImport = true,
): Promise<Checked> {
  const subject = await readSubject(packing.root, catalog, mayImport);
  const capabilities = checkCapabilities(subject);
  const {findings, budget} = mayImport ? await checkBudget(subject, packing) : untried(packing.root);
  const all = [
    ...(await checkFiles(subject)),
    ...checkAdmission(subject),
    ...checkErrors(subject),
    ...checkServices(subject),
    ...checkSettings(subject),
    ...checkNames(subject),
    ...checkTravel(subject),
    ...(await checkDocs(subject)),
    ...capabilities.findings,
    ...checkCompatibility(subject),
    ...findings,
  ];
  const rank = ({level}: Finding): number => (level === 'error' ? 0 : 1);
  return {
    name: subject.manifest.name,
    findings: all.sort((a, b) => rank(a) - rank(b)),
    report: {...budget, capabilities: capabilities.report},
  };
}

/** The finding that replaces the budget: importing runs the code, and npm follows the configuration in the folder. */
function untried(root: string): {readonly findings: readonly Finding[]; readonly budget: Budget} {
  const sentence =
    'Not imported, because the folder is not trusted: whether the manifests match the code, the import cost and ' +
    `the packed size are unknown. If you trust its code, run gemini trust add ${root}, or ` +
    '--yes.';
  return {findings: findingsOf('warning', 'trust', [sentence]), budget: {}};
}
