import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {findSettingFaults, type SettingKeys} from '@gemini-kernel/admission/start';
import type {DeclaredSetting} from '@gemini-kernel/kernel';
import type {Manifest} from '@gemini-kernel/kernel/host';
import {findingsOf, type Finding, type Subject} from './subject.js';

/** Settings that conflict with those of the product or of other plugins. */
export function checkSettings({manifest, others, isOfProduct}: Subject): readonly Finding[] {
  const earlier = others.flatMap((other) => declaredBy(other.manifest, other.origin === 'core'));
  const own = declaredBy(manifest, isOfProduct);
  const faults = findSettingFaults([...earlier, ...own], readKnown());
  return findingsOf(
    'error',
    'settings',
    own.flatMap((one) => {
      const fault = faults.get(one);
      return fault === undefined ? [] : [`The setting ${one.key} would be ignored: ${fault}. Choose another section.`];
    }),
  );
}

function declaredBy({name: plugin, settings = []}: Manifest, ofProduct: boolean): readonly DeclaredSetting[] {
  return settings.map((setting) => ({...setting, plugin, ofProduct}));
}

function readKnown(): SettingKeys {
  const path = createRequire(import.meta.url).resolve('@gemini-kernel/manifests/schemas/settings.schema.json');
  // The file is part of the product; a test checks its form.
  return JSON.parse(readFileSync(path, 'utf8')) as SettingKeys;
}
