/** A part of a word between commas: the name it stands for, and how it is written. */
interface Piece {
  readonly name: string;
  readonly written: string;
}

type IsThere = (name: string) => Promise<boolean>;

/**
 * The directories that a word names: commas separate several. A name with a comma stands in quotes, or has a backslash
 * before the comma, or is taken whole when that directory is there and its parts are not.
 */
export async function readNames(word: string, isThere: IsThere): Promise<readonly string[]> {
  const pieces = splitAtCommas(word).filter(({name}) => name !== '');
  const names = pieces.map(({name}) => name);
  if (names.length < 2) return names;
  const there = await Promise.all(names.map(isThere));
  return there.every((one) => one) ? names : joinThere(pieces, isThere);
}

/** Of pieces that are not there, the longest run that is a name together becomes one. */
async function joinThere(pieces: readonly Piece[], isThere: IsThere): Promise<readonly string[]> {
  const names: string[] = [];
  for (let from = 0; from < pieces.length;) {
    let [to, name] = [from + 1, pieces[from]?.name ?? ''];
    for (let end = pieces.length; end > to; end -= 1) {
      const joined = pieces
        .slice(from, end)
        .map(({written}) => written)
        .join(',')
        .trim();
      if (await isThere(joined)) [to, name] = [end, joined];
    }
    names.push(name);
    from = to;
  }
  return names;
}

const QUOTED = /^\s*(?:"([^"]*)"|'([^']*)')\s*(?:,|$)/;
const PLAIN = /^((?:\\,|[^,])*)(?:,|$)/;

function splitAtCommas(word: string): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let rest = word; rest !== '';) {
    const quoted = QUOTED.exec(rest);
    const [whole = rest, written = ''] = quoted ?? PLAIN.exec(rest) ?? [];
    const name = quoted ? (quoted[1] ?? quoted[2] ?? '') : written.replaceAll('\\,', ',').trim();
    pieces.push({name, written: quoted ? name : written});
    rest = rest.slice(Math.max(whole.length, 1));
  }
  return pieces;
}
