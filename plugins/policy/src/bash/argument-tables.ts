/** How a program is called whose every option is known. */
export interface Arguments {
  /** Letters of options without a value. */
  readonly flags?: string;
  /** Letters of options whose value, in the same word or the next, is text and no file. */
  readonly values?: string;
  /** Long options; `name=` takes a value that is no file. */
  readonly long?: string;
  /**
   * What its operands are: files that it prints, files of which it shows the name and the like, folders it compares, or
   * text.
   */
  readonly operands: 'content' | 'name' | 'folders' | 'text';
  /** Options after which it goes through all that is below its operands. */
  readonly descends?: RegExp;
  /** A number may be an option: `head -5`. */
  readonly numeric?: boolean;
  /** Its first operand is a pattern or a program, unless one of these options gives it. */
  readonly pattern?: RegExp;
  /** What that program must be, for it to read and write nothing else. */
  readonly program?: RegExp;
  /** One operand more would be a file that it writes. */
  readonly most?: number;
}

const SUM: Arguments = {flags: 'btz', long: 'binary text tag zero', operands: 'content'};
const TEXT: Arguments = {operands: 'text'};
const GREP: Arguments = {
  flags: 'EFGPiywxcnoqsvHhlLbTZzaIUrR',
  values: 'ABCme',
  numeric: true,
  operands: 'content',
  descends: /^-[A-Za-z]*[rR]|^--(?:dereference-)?recursive$/,
  pattern: /^-[A-Za-z]*e|^--regexp/,
  long:
    'extended-regexp fixed-strings basic-regexp perl-regexp ignore-case word-regexp line-regexp count color ' +
    'color= colour files-with-matches ' +
    ('files-without-match max-count= only-matching quiet silent no-messages byte-offset with-filename no-filename ' +
      'label= line-number null ') +
    ('after-context= before-context= context= text binary-files= include= exclude= exclude-dir= recursive ' +
      'dereference-recursive invert-match ') +
    'regexp= line-buffered',
};

/**
 * Programs that the product lets pass, and all that it accepts of them: an option that is not here makes a command
 * unclear. Left out are options that name files (`wc --files0-from`, `md5sum -c`, `diff --from-file`, `grep -f`, `du
 * -X`), and those that run or write something.
 */
export const ARGUMENTS: Readonly<Record<string, Arguments>> = {
  ls: {
    flags: 'aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ1',
    values: 'ITw',
    operands: 'name',
    long:
      'all almost-all color color= human-readable reverse recursive size sort= time= time-style= ' +
      'group-directories-first classify inode full-time',
  },
  cat: {
    flags: 'AbeEnstTuv',
    long: 'show-all number number-nonblank squeeze-blank show-ends show-tabs show-nonprinting',
    operands: 'content',
  },
  tac: {flags: 'br', values: 's', operands: 'content'},
  head: {flags: 'qvz', values: 'cn', numeric: true, long: 'lines= bytes= quiet silent verbose', operands: 'content'},
  tail: {
    flags: 'qvzfF',
    values: 'cn',
    numeric: true,
    long: 'lines= bytes= quiet silent verbose follow',
    operands: 'content',
  },
  wc: {flags: 'clmwL', long: 'lines words bytes chars max-line-length total=', operands: 'content'},
  cut: {
    flags: 'snz',
    values: 'bcdf',
    long: 'bytes= characters= delimiter= fields= complement only-delimited output-delimiter=',
    operands: 'content',
  },
  nl: {flags: 'p', values: 'bdfhilnsvw', operands: 'content'},
  paste: {flags: 'sz', values: 'd', long: 'delimiters= serial', operands: 'content'},
  tr: {flags: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1', operands: 'text'},
  rev: {operands: 'content'},
  fold: {flags: 'bs', values: 'w', long: 'width= spaces bytes', numeric: true, operands: 'content'},
  comm: {flags: '123z', long: 'check-order nocheck-order output-delimiter= total', operands: 'content'},
  cmp: {
    flags: 'bls',
    values: 'in',
    long: 'silent quiet verbose print-bytes bytes= ignore-initial=',
    operands: 'content',
  },
  diff: {
    flags: 'abBcdeEinNpqrstTuwyZ',
    values: 'CUWFIx',
    operands: 'folders',
    descends: /^-[A-Za-z]*r|^--recursive$/,
    long:
      'unified unified= context context= brief side-by-side ignore-all-space ignore-space-change ' +
      'ignore-blank-lines ignore-case recursive ' +
      ('new-file color color= width= report-identical-files suppress-common-lines minimal text strip-trailing-cr ' +
        'exclude='),
  },
  cksum: {operands: 'content'},
  md5sum: SUM,
  sha1sum: SUM,
  sha256sum: SUM,
  sha512sum: SUM,
  stat: {flags: 'Lft', values: 'c', long: 'format= printf= dereference file-system terse', operands: 'name'},
  du: {
    flags: 'abchHklLmsxS0P',
    values: 'dtB',
    operands: 'name',
    long: 'all apparent-size bytes total human-readable summarize max-depth= exclude= block-size= threshold=',
  },
  df: {flags: 'ahHiklPT', values: 'Btx', long: 'human-readable type= total', operands: 'name'},
  basename: {flags: 'az', values: 's', long: 'multiple suffix= zero', operands: 'text'},
  dirname: {flags: 'z', operands: 'text'},
  realpath: {flags: 'eLmPqsz', long: 'relative-to= relative-base=', operands: 'name'},
  readlink: {flags: 'efmnqsvz', operands: 'name'},
  pwd: {flags: 'LP', operands: 'text'},
  which: {flags: 'a', operands: 'text'},
  whoami: TEXT,
  id: {flags: 'aGgnruzZ', operands: 'text'},
  uname: {flags: 'amnrsvpio', operands: 'text'},
  true: TEXT,
  false: TEXT,
  ':': TEXT,
  nproc: {long: 'all', operands: 'text'},
  date: {flags: 'uIR', values: 'd', long: 'utc date= iso-8601 iso-8601=', operands: 'text'},
  seq: {flags: 'w', values: 'sf', operands: 'text', numeric: true},
  sleep: TEXT,
  printf: {operands: 'text'},
  echo: {flags: 'neE', operands: 'text'},
  cd: {flags: 'LPe', operands: 'text'},
  grep: GREP,
  egrep: GREP,
  fgrep: GREP,
  sort: {
    flags: 'bdfghiMnRrVcCmsuz',
    values: 'kt',
    operands: 'content',
    long:
      'reverse numeric-sort human-numeric-sort version-sort unique key= field-separator= ignore-case stable check ' +
      'month-sort zero-terminated',
  },
  uniq: {flags: 'cdDiuz', values: 'fsw', long: 'count repeated unique ignore-case', operands: 'content', most: 1},
  sed: {
    flags: 'nEr',
    values: 'e',
    long: 'quiet silent regexp-extended expression=',
    operands: 'content',
    pattern: /^-[A-Za-z]*e|^--expression/,
    program:
      /^(?:(?:\d+|\$)(?:,(?:\d+|\$|\+\d+))?[pdq](?:;|$))+$|^\/[\w .:=-]+\/(?:,\/[\w .:=-]+\/)?p$|^s([/|,#])[^\\/|,#&\n]*\1[^\\/|,#&\n]*\1g?$/,
  },
};
