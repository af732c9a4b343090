import {join} from 'node:path';
import type {InstallPlaces} from '@gemini-kernel/admission/contract';
import {markManaged} from '@gemini-kernel/admission/start';
import type {Refusal} from '@gemini-kernel/kernel/host';
import {markBundles, markOf} from './active-bundles.js';
import type {InstalledPlugin} from './installed-plugins.js';

/** What changes when a lock, a rule or a bundle may have. */
export interface PlaceMarks {
  readonly all: readonly string[];
  /** Whether nothing is installed and there is no rule. */
  readonly areEmpty: boolean;
  /** Whether an administrator decides. */
  readonly areManaged: boolean;
}

/** Marks the places that decide what is installed; nothing of them is read. */
export function markPlaces({user, system, project}: InstallPlaces): PlaceMarks {
  const managed = [
    markOf(system.lock),
    markManaged({folder: system.rules, owner: system.owner}),
    markBundles(system.bundles),
  ];
  const all = [...managed, markOf(project.lock), markOf(user.lock), markBundles(user.bundles)];
  return {all, areEmpty: !all.some(saysSomething), areManaged: managed.some(saysSomething)};
}

function saysSomething(mark: string): boolean {
  return mark !== '' && mark !== 'none';
}

/** What changes when a plugin that no lock vouches for may have: a linked one, and one that was refused. */
export function markPlugins(plugins: readonly InstalledPlugin[], refused: readonly Refusal[]): readonly string[] {
  return [...plugins.map(markPlugin), ...refused.map(markRoot)];
}

/** A linked plugin is built while it is linked; any other is held against its tree. */
function markPlugin({root, origin}: InstalledPlugin): string {
  return origin === 'link' ? markRoot({root}) : '';
}

function markRoot({root}: {readonly root: string}): string {
  return ['.', 'package.json', 'gemini.plugin.json', 'oclif.manifest.json']
    .map((name) => markOf(join(root, name)))
    .join('\n');
}
