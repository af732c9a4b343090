import {mkdtemp, realpath, rm, mkdir} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {describe, expect, test} from '@jest/globals';
import {canBeManaged, makeManagedMachine} from '../helpers/run-managed.js';

const onMachine = canBeManaged ? describe : describe.skip;

onMachine('a sandbox that an administrator asks for', () => {
  test.each([
    ['the variable', [], {GEMINI_SANDBOX: 'false'}],
    ['the flag', ['--no-sandbox'], {}],
    ['another name', [], {GEMINI_SANDBOX: 'docker'}],
  ])('is not turned off or replaced by %s [sandbox.managed]', async (_, flags, variables) => {
    const root = await realpath(await mkdtemp(join(tmpdir(), 'gemini-managed-')));
    const [cwd, home] = [join(root, 'project'), join(root, 'home')];
    await Promise.all([mkdir(cwd), mkdir(home)]);
    const machine = await makeManagedMachine(root);
    await machine.write({'settings.json': {tools: {sandbox: 'bwrap'}}});
    const {stdout} = await machine.run(['sandbox', 'status', '--json', ...flags], {cwd, home, variables});
    expect(JSON.parse(stdout)).toMatchObject({why: 'A setting of the administrator asks for it.'});
    await rm(root, {recursive: true, force: true});
  });
});
