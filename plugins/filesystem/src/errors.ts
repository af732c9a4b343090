import type {ErrorTable} from '@gemini-kernel/kernel';

export default {
  FILE_MISSING: {when: 'The file does not exist.'},
  FILE_IS_DIRECTORY: {when: 'The path names a directory where a file is needed.'},
  FILE_IS_SPECIAL: {when: 'The path names a device, a pipe or a socket, which the file tools do not open.'},
  FILE_IGNORED: {when: 'The ignore rules exclude the file.'},
  FILE_UNREADABLE: {when: 'The system refuses to read the file.'},
  FILE_UNWRITABLE: {when: 'The system refuses to write the file or into its directory.'},
  FILE_READ_ONLY: {when: 'The file has no write permission for any user.'},
  FILE_TOO_LARGE: {when: 'The content is larger than the limit for reading.'},
  FILES_TOO_MANY: {when: 'More than 5,000 files match the patterns of read_many_files.'},
  FILE_EXISTS: {when: 'replace with an empty old_string creates a file, but the file exists.'},
  FILE_CHANGED: {
    when:
      'The file is not the version that this session read or checked: another program changed, replaced or ' +
      'created it.',
  },
  FILE_ENCODING_UNKNOWN: {
    when: 'The file is not UTF-8, has no byte order mark, and the configured legacy encoding is missing or unusable.',
  },
  FOLDER_MISSING: {when: 'The directory does not exist.'},
  FOLDER_IS_FILE: {when: 'The path, or a part of it, is a file where a directory is needed.'},
  FOLDER_UNREADABLE: {when: 'The system refuses to open or list the directory.'},
  LINE_MISSING: {when: 'The file has fewer lines than start_line.'},
  LINE_RANGE_REVERSED: {when: 'start_line is greater than end_line.'},
  TEXT_UNENCODABLE: {when: "The new text has characters that the file's encoding cannot represent."},
  TEXT_ABBREVIATED: {when: 'The new text has a line such as "rest of code ..." in place of the code itself.'},
  EDIT_NOT_FOUND: {when: 'No strategy finds old_string in the file.'},
  EDIT_AMBIGUOUS: {when: 'old_string is found more than once and allow_multiple is not set.'},
  EDIT_NO_CHANGE: {when: 'old_string and new_string differ only in line ends, or not at all.'},
  EDIT_SEARCH_BLANK: {when: 'old_string contains only white space.'},
  DISK_FULL: {when: 'The disk, the quota or the file size limit has no room for the content.'},
  DISK_READ_ONLY: {when: 'The file system is mounted read-only.'},
} as const satisfies ErrorTable;
