import {mkdir, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {KernelError, messageOf, type Environment} from '@gemini-kernel/kernel';
import {storeOf, type Scope} from './skill-store.js';

interface Wish {
  readonly name: string;
  readonly scope: Scope;
  readonly directory?: string | undefined;
  readonly description?: string | undefined;
  readonly environment: Pick<Environment, 'home' | 'cwd'>;
}

/** Writes a skill and one test case. Throws KernelError SKILL_INVALID and SKILL_INSTALL_FAILED. */
export async function createSkill({name, scope, directory, description, environment}: Wish): Promise<{
  readonly folder: string;
  readonly files: readonly string[];
}> {
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name) || name.length > 64)
    throw new KernelError('SKILL_INVALID', `"${name}" is not a name for a skill.`, {
      hint: 'Use lower-case letters, digits and single hyphens, at most 64 characters, such as release-notes.',
    });
  const root = directory === undefined ? storeOf(scope, environment) : resolve(environment.cwd, directory);
  const folder = join(root, name);
  const says = (description ?? `TODO: what it does. Use it when TODO.`).replaceAll(/\s+/g, ' ').trim();
  const files = {'SKILL.md': skillText(name, says), 'tests/basic.toml': testText(name)};
  try {
    await mkdir(root, {recursive: true});
    await mkdir(folder);
    await mkdir(join(folder, 'tests'));
    for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text, {flag: 'wx'});
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST')
      throw new KernelError('SKILL_INVALID', `There is a ${folder} already.`, {cause, hint: 'Choose another name.'});
    throw new KernelError('SKILL_INSTALL_FAILED', `Cannot write ${folder}: ${messageOf(cause)}.`, {cause});
  }
  return {folder, files: Object.keys(files)};
}

function skillText(name: string, description: string): string {
  return `---
name: ${name}
description: ${JSON.stringify(description)}
---

# ${name}

TODO: the steps, in order. Say at each how to see that it worked.

1. TODO

Keep this file under 500 lines. Put details into references/ and programs into scripts/, and name each file here.
`;
}

function testText(name: string): string {
  return `# A case for \`gemini skills test\`: the prompt, and what has to come of it.
prompt = "TODO: what a user would type when they need ${name}."
expect_calls = ["activate_skill"]

# Written into an empty project before the run.
[files]

# A text that each file has to contain after the run.
[expect_files]
`;
}
