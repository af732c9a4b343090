import type {NewPlugin} from '../new-plugin.js';
import {countCommand, countTool, countWords, errorTable, limitSetting} from './count-words.js';
import {packageJson, tsconfigJson} from './package-json.js';
import {readme} from './readme.js';
import {contract, countedHook, wordsService} from './service.js';
import {testFile} from './test-file.js';
import {toolJudge} from './tool-judge.js';

/** Every file of a new plugin, by its path with forward slashes. */
export function pluginFiles(plugin: NewPlugin, kernel: string): Readonly<Record<string, string>> {
  const {noun, kinds} = plugin;
  const [tool, command, hook, service] = [
    kinds.has('tool'),
    kinds.has('command'),
    kinds.has('hook'),
    kinds.has('service'),
  ];
  const counts = tool || command || service;
  const files: Readonly<Record<string, string | false>> = {
    'package.json': packageJson(plugin, kernel),
    'tsconfig.json': tsconfigJson,
    'README.md': readme(plugin),
    '.gitignore':
      'node_modules/\ndist/\n.test/\ngemini.plugin.json\noclif.manifest.json\ngemini.signature.json\n*.tgz\n',
    ...(counts ? {'src/count-words.ts': countWords(plugin), 'src/errors.ts': errorTable} : {}),
    'src/contract.ts': service && contract(plugin),
    [`src/tools/${noun}-count.ts`]: tool && countTool(plugin),
    [`src/commands/${noun}/count.ts`]: command && countCommand(plugin),
    [`src/services/${noun}.ts`]: service && wordsService(plugin),
    [`src/hooks/${noun}-counted.ts`]: service && hook && countedHook(plugin),
    ...(kinds.has('setting') ? {'src/settings/limit.ts': limitSetting(plugin)} : {}),
    'src/listeners/tool-judge.ts': hook && toolJudge,
    [`test/${noun}.test.js`]: testFile(plugin),
  };
  return Object.fromEntries(Object.entries(files).flatMap(([path, text]) => (text === false ? [] : [[path, text]])));
}
