import {provide} from '@gemini-kernel/kernel';
import type {Settings} from '@gemini-kernel/plugin-settings/contract';
import type {Secrets} from '../contract.js';
import {needlesOf, passwordNeedlesOf} from '../needles.js';
import {createRedaction} from '../redaction.js';
import {hideSecretForms, namesSecret} from '../hide-forms.js';
import {hasSecretForm} from '../secret-form.js';
import {isNeeded, isSecretName, isVeiled} from '../secret-name.js';
import {readWithholdingRules, type WithholdingRules} from '../withholding-rules.js';

/** The secrets among the environment variables, for the whole program. */
export default provide('secrets', {
  version: '1.2.0',
  scope: 'place',
  local: ['redactor'],
  methods: ['environment', 'redact', 'suspects', 'scrub'],
  async create({environment, service}): Promise<Secrets> {
    const settings = await service('settings');
    const rules = await readWithholdingRules(settings);
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
      ...(await readSecretSettings(settings)).flatMap(([key, value]) => needlesOf(key, value)),
    ]);
    return {
      environment: async () => ({variables: Object.fromEntries(passed), withheld: [...withheld].sort()}),
      redact: async (text) => redact(text),
      suspects: async (text) => redact(text).count > 0 || hasSecretForm(text) || namesSecret(text),
      async scrub(given) {
        const known = redact(given);
        const {text, count} = hideSecretForms(known.text);
        return {text, count: known.count + count};
      },
      redactor: async () => redactor(),
    };
  },
});

function isWithheld(name: string, value: string, {isOn, allowed, blocked}: WithholdingRules): boolean {
  const upper = name.toUpperCase();
  if (!isOn || allowed.has(upper)) return false;
  return blocked.has(upper) || (!isNeeded(name) && (isSecretName(name) || hasSecretForm(value)));
}

/** The settings that plugins declare as secret, by key. They are texts. */
async function readSecretSettings(settings: Settings): Promise<readonly (readonly [string, string])[]> {
  const secret = (await settings.declared()).filter((setting) => setting.secret);
  const values = await Promise.all(secret.map(async ({key}) => [key, await settings.get(key)] as const));
  return values.flatMap(([key, value]) => (typeof value === 'string' ? [[key, value] as const] : []));
}
