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
  /** What is to be mended, errors first; none when the plugin is fit to be packed. */
  readonly findings: readonly Finding[];
  readonly report: Budget & {readonly capabilities: CapabilityReport};
}

/**
 * Looks a compiled plugin over as a host with that catalog would, and as its next reader would. Without `mayImport`
 * its code does not run, only what is written is looked at. Throws KernelError BUILD_INVALID when it cannot be built.
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

/** What stands there instead of a budget: importing runs the code, and npm follows the configuration in the folder. */
function untried(root: string): {readonly findings: readonly Finding[]; readonly budget: Budget} {
  const sentence =
    'Its code was not imported, because the folder is not trusted: whether the manifests are those of the code, ' +
    `what importing costs and what it has when packed is not known. If you trust it: gemini trust add ${root}, or ` +
    '--yes.';
  return {findings: findingsOf('warning', 'trust', [sentence]), budget: {}};
}
