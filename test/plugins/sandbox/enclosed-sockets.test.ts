import {once} from 'node:events';
import {mkdirSync, mkdtempSync, realpathSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect} from '@jest/globals';
import {MadeNames} from '#plugins/sandbox/dist/linux/made-names.js';
import {planEnclosure} from '#plugins/sandbox/dist/linux/plan-enclosure.js';
import {testConfined} from './open-sandbox.js';

testConfined(
  'an enclosed program is not shown where others listen, in folders of its own [sandbox.leaks]',
  async () => {
    // In /tmp, of which an enclosed program has its own.
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'gemini-listens-')));
    const root = join(folder, 'root');
    mkdirSync(root);
    const sockets = [join(folder, 'hidden'), join(root, 'seen')];
    const servers = sockets.map((path) => createServer().listen(path));
    await Promise.all(servers.map((server) => once(server, 'listening')));
    const parts = {roots: [root], writes: true, read: [], write: [], lent: [], hosts: [], from: 'a plugin'};
    const made = new MadeNames();
    const {mounts} = planEnclosure({...parts, home: '/home/none', protected: new Map(), made});
    for (const server of servers) server.close();
    made.close();
    rmSync(folder, {recursive: true});
    const masked = mounts.filter(({kind}) => kind === 'masked').map(({path}) => path);
    expect(masked.filter((path) => sockets.includes(path))).toEqual([join(root, 'seen')]);
  },
);
