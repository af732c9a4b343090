// @ts-check
'use strict';
// What V8 compiled of a bundle, kept between starts. Such a file is code: it is used only where no one else could have
// written it.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

/** A cache has about the size of its bundle. */
const SIZE_AT_MOST = 64 * 2 ** 20;
const OTHERS_WRITE = 0o022;
const OTHERS = 0o077;
const GROUP = 0o070;
const STICKY = 0o1000;
const DIGEST_BYTES = 32;
const KEY_BYTES = 32;
const {O_RDONLY, O_NONBLOCK = 0, O_NOFOLLOW = 0} = fs.constants;

/**
 * @typedef {{read: () => Buffer | undefined, write: (compile: () => Buffer) => boolean}} Place
 * `read` gives undefined for a cache that is missing or cannot be trusted; `write` says whether it could be kept.
 * Neither throws.
 */

/**
 * The places of a bundle's cache, the preferred one first: beside the bundle, as trustworthy as the bundle itself, and
 * this user's own cache folder, for a program in a folder that is read-only.
 * @param {string} file The bundle. @param {string} digest Of the bundle, as its build wrote it.
 * @returns {readonly Place[]}
 */
function cachePlaces(file, digest) {
  const name = `${path.basename(file, '.cjs')}-${process.version}-${process.arch}-${digest}.cache`;
  // A relative place would be the current folder's.
  const isUsable = (/** @type {string | undefined} */ place) => place !== undefined && path.isAbsolute(place);
  const user = [process.env.XDG_CACHE_HOME, path.join(os.homedir(), '.cache')].find(isUsable);
  return [
    besideBundle(file, path.join(path.dirname(file), name)),
    ...(user ? [inUserFolder(path.join(user, 'gemini', name))] : []),
  ];
}

/** @param {string} bundle @param {string} file @returns {Place} */
function besideBundle(bundle, file) {
  return {
    read: () =>
      quietly(() => readPrivate(file, {owners: [0, ownUser(), fs.statSync(bundle).uid], closedTo: OTHERS_WRITE})),
    write: (compile) =>
      quietly(() => {
        fs.accessSync(path.dirname(file), fs.constants.W_OK);
        return writeWhole(file, compile(), 0o644);
      }) ?? false,
  };
}

/**
 * The file begins with a code that only this user's key makes of its name and content. @param {string} file @returns
 * {Place}
 */
function inUserFolder(file) {
  return {
    read: () =>
      quietly(() => {
        if (isForeign(path.dirname(file))) return undefined;
        const bytes = readPrivate(file, {owners: [ownUser()], closedTo: OTHERS});
        const key = bytes && readKey();
        if (!key) return undefined;
        const data = bytes.subarray(DIGEST_BYTES);
        return require('node:crypto').timingSafeEqual(bytes.subarray(0, DIGEST_BYTES), sign(key, file, data))
          ? data
          : undefined;
      }),
    write: (compile) =>
      quietly(() => {
        if ([file, keyFile()].some((one) => isForeign(path.dirname(one)))) return false;
        const data = compile();
        return writeWhole(file, Buffer.concat([sign(readKey() ?? makeKey(), file, data), data]), 0o600);
      }) ?? false,
  };
}

/**
 * Gives what `act` gives, or undefined when the system refuses: a cache only saves time.
 * @template T @param {() => T} act @returns {T | undefined}
 */
function quietly(act) {
  try {
    return act();
  } catch (error) {
    if (typeof Reflect.get(Object(error), 'code') !== 'string') throw error;
    return undefined;
  }
}

/** Windows has no numbers of users: there the folder of the user is closed by the system. */
function ownUser() {
  return process.geteuid?.() ?? 0;
}

/**
 * The bytes of a regular file that belongs to one of some users; undefined for a link, a pipe, a device or anything
 * larger than a cache.
 * @param {string} file @param {{owners: readonly number[], closedTo: number}} rights `closedTo` are the bits of the mode that must be off.
 */
function readPrivate(file, {owners, closedTo}) {
  // Opening a device can wait, or do something.
  if (!fs.lstatSync(file).isFile()) return undefined;
  const handle = fs.openSync(file, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fs.fstatSync(handle);
    const isTheirs = process.platform === 'win32' || (owners.includes(stats.uid) && (stats.mode & closedTo) === 0);
    if (!stats.isFile() || !isTheirs || stats.size > SIZE_AT_MOST) return undefined;
    const bytes = Buffer.allocUnsafe(stats.size);
    return fs.readSync(handle, bytes, 0, bytes.length, 0) === bytes.length ? bytes : undefined;
  } finally {
    fs.closeSync(handle);
  }
}

/**
 * Whether anyone but this user and root could put something into a folder, or its nearest ancestor that exists, or
 * replace one on the way to it, or one of them is a link.
 * @param {string} folder
 */
function isForeign(folder) {
  if (process.platform === 'win32') return false;
  let place = folder;
  while (!fs.existsSync(place) && path.dirname(place) !== place) place = path.dirname(place);
  if (fs.realpathSync(place) !== place || fs.statSync(place).uid !== ownUser()) return true;
  for (; ; place = path.dirname(place)) {
    if (isOpen(fs.statSync(place))) return true;
    if (path.dirname(place) === place) return false;
  }
}

/** Many systems give each user a group with the same number, which has no other member. @param {fs.Stats} stats */
function isOpen({uid, gid, mode}) {
  const isOwn = uid === 0 || uid === ownUser();
  const closedTo = gid === uid && gid === process.getegid?.() ? OTHERS_WRITE & ~GROUP : OTHERS_WRITE;
  return !isOwn || ((mode & closedTo) !== 0 && (mode & STICKY) === 0);
}

/** Not beside what it protects, which may lie in a folder that several machines share. */
function keyFile() {
  return path.join(os.homedir(), '.gemini', 'cache.key');
}

/** @returns {Buffer | undefined} */
function readKey() {
  const file = keyFile();
  if (isForeign(path.dirname(file)) || !fs.existsSync(file)) return undefined;
  const key = readPrivate(file, {owners: [ownUser()], closedTo: OTHERS});
  return key?.length === KEY_BYTES ? key : undefined;
}

/** Of two processes that make one at once, the later wins; the other's cache is made again. */
function makeKey() {
  const key = require('node:crypto').randomBytes(KEY_BYTES);
  writeWhole(keyFile(), key, 0o600);
  return key;
}

/** @param {Buffer} key @param {string} file @param {Buffer} data */
function sign(key, file, data) {
  return require('node:crypto')
    .createHmac('sha256', key)
    .update(`${path.basename(file)}\n`)
    .update(data)
    .digest();
}

/** @param {string} file @param {Buffer} data @param {number} mode */
function writeWhole(file, data, mode) {
  const temporary = `${file}.${process.pid}`;
  fs.mkdirSync(path.dirname(file), {recursive: true, mode: 0o700});
  try {
    // What another process left under this name, or put there, is not written through.
    fs.rmSync(temporary, {force: true});
    fs.writeFileSync(temporary, data, {mode, flag: 'wx'});
    fs.renameSync(temporary, file);
    return true;
  } finally {
    fs.rmSync(temporary, {force: true});
  }
}

module.exports = {cachePlaces};
