import {describe, expect, test} from '@jest/globals';
import {chooseMounts} from '#plugins/sandbox/dist/enclosure/choose-mounts.js';
import type {ContainerMount} from '#plugins/sandbox/dist/enclosure/container-options.js';

const mount = (path: string, rights: 'ro' | 'rw' = 'rw', from = path): ContainerMount => ({from, to: path, rights});
const disk = (path: string, more = {}) => ({type: 'disk', source: path, path, ...more});

describe('what a container of lxc is given', () => {
  test('outer folders first, each once, and nothing that is there [sandbox.lxc]', () => {
    const mounts = [mount('/p/program/project'), mount('/p/program', 'ro'), mount('/work'), mount('/work')];
    expect(chooseMounts(mounts, {}, 'c')).toEqual([mounts[2], mounts[1], mounts[0]]);
    expect(chooseMounts([mount('/work/inner'), mount('/work')], {}, 'c')).toEqual([mount('/work')]);
    expect(chooseMounts([mount('/work/inner')], {a: disk('/work')}, 'c')).toEqual([]);
    expect(chooseMounts([mount('/work', 'ro')], {a: disk('/work', {readonly: 'true'})}, 'c')).toEqual([]);
    // The root of the container and its network are no folders of this machine.
    const other = {root: {type: 'disk', path: '/', pool: 'default'}, eth0: {type: 'nic'}};
    expect(chooseMounts([mount('/work')], other, 'c')).toEqual([mount('/work')]);
  });

  test.each([
    [
      'read-only within what can be written',
      [mount('/work'), mount('/work/lib', 'ro')],
      {},
      '/work is there, writable',
    ],
    ['another folder at the place', [mount('/work', 'rw', '/other')], {a: disk('/work')}, '/work (device a) is there'],
    ['other rights', [mount('/work')], {a: disk('/work', {readonly: 'true'})}, 'device a) is there, read-only'],
    ['another folder within', [mount('/work/x', 'rw', '/y')], {a: disk('/work')}, 'cannot show /work/x writable in c'],
    ['over what another session has', [mount('/work')], {a: disk('/work/inner')}, '/work/inner (device a) is there'],
  ])('%s is refused [sandbox.lxc]', (_, mounts, devices, sentence) => {
    expect(() => chooseMounts(mounts, devices, 'c')).toThrow(sentence);
  });
});
