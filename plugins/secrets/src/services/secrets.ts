import {provide} from '@gemini-kernel/kernel';
import type {} from '@gemini-kernel/plugin-settings/contract';
import type {Secrets} from '../contract.js';
import {needlesOf, passwordNeedlesOf} from '../needles.js';
import {createRedaction} from '../redaction.js';
import {hasSecretForm} from '../secret-form.js';
import {isNeeded, isSecretName, isVeiled} from '../secret-name.js';
import {readWithholdingRules, type WithholdingRules} from '../withholding-rules.js';

/** The secrets among the environment variables, for the whole program. */
export default provide('secrets', {
  version: '1.0.0',
  scope: 'place',
  local: ['redactor'],
  async create({environment, service}): Promise<Secrets> {
    const rules = await readWithholdingRules(await service('settings'));
    const given = Object.entries(environment.variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as const],
    );
    const secret = given.filter(([name, value]) => isWithheld(name, value, rules));
    const withheld = new Set(secret.map(([name]) => name));
    const passed = given.filter(([name]) => !withheld.has(name));
    const veiled = rules.isOn
      ? passed.filter(([name]) => isVeiled(name) && !rules.allowed.has(name.toUpperCase()))
      : [];
    const {redact, redactor} = createRedaction([
      ...veiled.flatMap(([name, value]) => passwordNeedlesOf(name, value)),
      ...secret.flatMap(([name, value]) => needlesOf(name, value)),
    ]);
    return {
      environment: async () => ({variables: Object.fromEntries(passed), withheld: [...withheld].sort()}),
      redact: async (text) => redact(text),
      redactor: async () => redactor(),
    };
  },
});

function isWithheld(name: string, value: string, {isOn, allowed, blocked}: WithholdingRules): boolean {
  const upper = name.toUpperCase();
  if (!isOn || allowed.has(upper)) return false;
  return blocked.has(upper) || (!isNeeded(name) && (isSecretName(name) || hasSecretForm(value)));
}
