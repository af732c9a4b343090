import {fitWidth, safeLine, type Graphemes, type Paint} from '@gemini-kernel/terminal';

interface FooterParts {
  readonly paint: Paint;
  readonly graphemes: Graphemes;
  /** The folder of the conversation, as a person names it. */
  readonly folder: string;
}

/** The last row: where the conversation is, and what is switched on. */
export class Footer {
  constructor(private readonly parts: FooterParts) {}

  row(columns: number, mode: string | undefined): string {
    const {paint, graphemes, folder} = this.parts;
    const items = [safeLine(folder), mode, '? for keys'].filter((one) => one !== undefined);
    return paint('dim', fitWidth(`  ${items.join(' · ')}`, columns - 1, graphemes));
  }
}

/** A folder with `~` for the person's home. */
export function nameFolder(folder: string, home: string): string {
  return folder === home || folder.startsWith(`${home}/`) ? `~${folder.slice(home.length)}` : folder;
}
