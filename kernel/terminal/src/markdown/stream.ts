import {widthOf} from '../graphemes.js';
import {safeText} from '../safe-text.js';
import {renderInline} from './inline.js';
import {withinStrong, type Look} from './look.js';
import {renderTable} from './table.js';

/** A line that may still become something other than a paragraph. */
const UNDECIDED = /^(?:\s*>\s?)*\s*(?:#{1,6}|[-+*_][-+*_\s]*|\d{1,9}[.)]?|`+|~+)?\s*$/;
/** A line that is rendered only once it is complete. */
const WHOLE = /^(?:\s*>\s?)*\s*#{1,6}\s|^\s*(?:\||`{3}|~{3})/;
const FENCE = /^(\s*)(`{3,}|~{3,})\s*([^`]*)$/;
const LEAD = /^((?:\s*>\s?)*)(\s*)(?:(#{1,6})\s+|([-+*]|\d{1,9}[.)])\s+)?/;
const RULE = /^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/;
const MOST_TABLE_ROWS = 200;

/** Renders streamed Markdown piece by piece; the same text gives the same output however it is split. */
export class MarkdownStream {
  /** Text that needs more input: half a character, or half a line end. */
  #tail = '';
  #line = '';
  /** How much of the line has been rendered; undefined = nothing yet. */
  #at: number | undefined;
  #fence: string | undefined;
  #table: string[] = [];
  /** An empty line is shown once, and only between two pieces. */
  #hasShown = false;
  #owesBlank = false;

  constructor(private readonly look: Look) {}

  /** The part that can be rendered now. */
  push(piece: string): string {
    const text = this.#tail + piece;
    const cut = /[\r\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
    this.#tail = text.slice(cut);
    return this.#take(safeText(text.slice(0, cut)));
  }

  /** The rest, with its last line ended. */
  end(): string {
    const rest = this.#take(safeText(this.#tail));
    this.#tail = '';
    const line = this.#line === '' && this.#at === undefined ? '' : this.#endLine();
    const fence = this.#fence === undefined ? '' : this.#fenceEnd();
    const shown = rest + line + this.#endTable() + fence;
    this.#fence = undefined;
    this.#hasShown = false;
    this.#owesBlank = false;
    return shown;
  }

  #take(text: string): string {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    let shown = '';
    for (const line of lines) {
      this.#line += line;
      shown += this.#endLine();
    }
    this.#line += last;
    return shown + (last === '' ? '' : this.#showPart());
  }

  /** Renders the certain part of a line that continues. */
  #showPart(): string {
    if (this.#at === undefined) {
      if (this.#fence !== undefined || UNDECIDED.test(this.#line) || WHOLE.test(this.#line)) return '';
      return this.#endTable() + this.#begin() + this.#inline(false);
    }
    return this.#inline(false);
  }

  #inline(isWhole: boolean): string {
    const {shown, at} = renderInline({text: this.#line, isWhole, look: this.look}, this.#at ?? 0);
    // Rendered text is dropped, except for what the next mark needs.
    const gone = Math.max(0, at - 2);
    this.#line = this.#line.slice(gone);
    this.#at = at - gone;
    return shown;
  }

  /** Renders the mark at the start of a line, and decides how to render the rest. */
  #begin(): string {
    const {paint, keepsMarks} = this.look;
    const [lead = '', quote = '', indent = '', heading, bullet] = LEAD.exec(this.#line) ?? [];
    this.#at = lead.length;
    const mark = bullet === undefined ? '' : `${bullet} `;
    const paragraph = this.look.paragraph?.(widthOf(quote + indent + mark)) ?? '';
    const start = this.#gap() + paragraph + paint('dim', quote) + indent;
    if (heading === undefined) return start + mark;
    // A heading is rendered whole: strong text cannot stay open while the bottom line is redrawn.
    const title = renderInline({text: this.#line, isWhole: true, look: withinStrong(this.look)}, lead.length).shown;
    this.#at = this.#line.length;
    return start + paint('strong', (keepsMarks ? `${heading} ` : '') + title);
  }

  #endLine(): string {
    const line = this.#line;
    const shown = this.#wholeLine(line);
    this.#line = '';
    this.#at = undefined;
    return shown;
  }

  #wholeLine(line: string): string {
    if (this.#at !== undefined) return `${this.#inline(true)}\n`;
    if (this.#fence !== undefined) return this.#codeLine(line, this.#fence);
    if (/^\s*\|/.test(line) && this.#table.length < MOST_TABLE_ROWS) {
      this.#table.push(line);
      return '';
    }
    const before = this.#endTable();
    const fence = FENCE.exec(line);
    if (fence) return before + this.#fenceStart(fence[2] ?? '', (fence[3] ?? '').trim());
    if (line.trim() === '') {
      this.#owesBlank = this.#hasShown || before !== '';
      return before;
    }
    if (RULE.test(line))
      return `${before}${this.#gap()}${this.look.paint('dim', '-'.repeat(Math.min(20, this.look.columns())))}\n`;
    return `${before}${this.#begin()}${this.#inline(true)}\n`;
  }

  #gap(): string {
    const gap = this.#owesBlank ? '\n' : '';
    this.#owesBlank = false;
    this.#hasShown = true;
    return gap;
  }

  #codeLine(line: string, fence: string): string {
    const closing = /^\s*(`{3,}|~{3,})\s*$/.exec(line)?.[1];
    if (closing?.startsWith(fence) !== true) return `${line}\n`;
    this.#fence = undefined;
    return this.#fenceEnd();
  }

  /** Code stays unchanged between two marks, so that you can copy it line by line. */
  #fenceStart(fence: string, language: string): string {
    this.#fence = fence;
    const gap = this.#gap();
    const name = language.split(/\s/)[0] ?? '';
    if (this.look.saysWords) return `${gap}Code${name === '' ? '' : ` in ${name}`}:\n`;
    return `${gap}${this.look.paint('dim', `${fence}${name}`)}\n`;
  }

  #fenceEnd(): string {
    if (this.look.saysWords) return 'End of code.\n';
    return `${this.look.paint('dim', '```')}\n`;
  }

  #endTable(): string {
    const table = this.#table;
    this.#table = [];
    return table.length > 0 ? this.#gap() + renderTable(table, this.look) : '';
  }
}
