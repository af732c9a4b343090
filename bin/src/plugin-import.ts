import {join} from 'node:path';
import {isInside} from '@gemini-kernel/admission/start';
import {KernelError} from '@gemini-kernel/kernel';
import type {ImportFile} from '@gemini-kernel/kernel/host';
import {createCheckedImport} from './checked-import.js';
import {createHostModules} from './host-services.js';
import {createImport} from './import-file.js';
import {createLoadingNotes, type LoadingNotes} from './loading-note.js';
import {lendOclif} from './oclif-config.js';
import {warn} from './process-environment.js';
import {reportError} from './report-error.js';
import type {Start} from './start.js';

/**
 * Imports files of plugins: those of the product from the bundle; any other after its tree was verified, with a note
 * that it is being loaded. Gives the modules of this program's services. Warns of loads that ended an earlier start.
 */
export function createPluginImport(start: Start): ImportFile {
  const {root, carried, stock} = start.program;
  const checked = createCheckedImport(root);
  const notes = openLoadingNotes(start);
  const own = createHostModules({places: start.installs, bundles: start.installed.bundles});
  const importFile = createImport(root, carried, async (file, load) => {
    const tree = start.installed.user?.treeOf(file);
    if (tree) await checked.prepare(tree);
    // Where oclif itself is not bundled, every plugin finds the one copy on disk.
    if (!stock) lendOclif(file);
    const plugin = start.installed.user?.plugins.find(({root: folder}) => isInside(folder, file));
    return plugin ? notes.during(plugin.manifest.name, load) : load();
  });
  return async (file) => own.get(file) ?? importFile(file);
}

function openLoadingNotes({program, environment, catalog, installed}: Start): LoadingNotes {
  const notes = createLoadingNotes(join(environment.cacheDir, 'loading'), (name) => {
    process.exitCode = reportError(endedBy(name), {argv: program.argv, exitCodeOf: catalog.exitCodeOf});
  });
  if (installed.user)
    for (const name of notes.takeLost())
      warn(
        `The plugin ${name} was being loaded when gemini was ended the last time. Run gemini doctor ${name}, or ` +
          `gemini plugins uninstall ${name}.`,
      );
  return notes;
}

function endedBy(plugin: string): KernelError {
  return new KernelError('PLUGIN_BROKEN', `The plugin ${plugin} ended the program while it was being loaded.`, {
    hint: `Run gemini doctor ${plugin}, or gemini plugins uninstall ${plugin}.`,
  });
}
