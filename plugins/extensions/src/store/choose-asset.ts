/** A file of a release. */
export interface ReleaseAsset {
  readonly id: number;
  readonly name: string;
}

const ARCHIVE = /\.(?:zip|tar|tgz|tar\.gz)$/i;
const PLATFORMS = ['darwin', 'linux', 'win32'];

/**
 * The archive for a platform: one that is named after platform and processor, then one named after the platform, then
 * the only archive if its name has no platform. Undefined when the source code of the release is to be used.
 */
export function chooseAsset(
  assets: readonly ReleaseAsset[],
  platform: NodeJS.Platform,
  arch: string,
): ReleaseAsset | undefined {
  const archives = assets.filter(({name}) => ARCHIVE.test(name));
  const startingWith = (start: string): ReleaseAsset | undefined =>
    archives.find(({name}) => name.toLowerCase().startsWith(start));
  const [only, ...others] = archives;
  const isGeneric = only && others.length === 0 && !PLATFORMS.some((one) => only.name.toLowerCase().includes(one));
  return startingWith(`${platform}.${arch}.`) ?? startingWith(`${platform}.`) ?? (isGeneric ? only : undefined);
}
