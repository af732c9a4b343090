export interface FileVersion {
  readonly stamp: string;
  readonly sha256?: string;
}
export interface Versions {
  remember(path: string, version: FileVersion): Promise<void>;
  recall(path: string): Promise<FileVersion | undefined>;
}
declare module '@gemini-kernel/kernel' {
  interface Services {
    versions: Versions;
  }
}
