/** What the program can ask of the terminal and of the machine it runs on; handed down from the top. */
export interface Device {
  /** Says how it went, in words for a toast. */
  copy(text: string): Promise<string>;
  open(url: string): Promise<string>;
  /** Undefined when nothing changed; rejects with a sentence. */
  edit(text: string, heading: readonly string[]): Promise<string | undefined>;
  bell(): void;
  notify(title: string, body: string): void;
  setTitle(title: string): void;
  setMouse(isOn: boolean): void;
  setProgress(percent: number | undefined): void;
  redraw(): void;
  suspend(): void;
  /** Ends the program. */
  quit(): void;
  /** Whether Shift-Enter can be told from Enter. */
  readonly reportsShiftEnter: boolean;
  readonly isRemote: boolean;
  readFile(path: string): Promise<{readonly name: string; readonly bytes: Uint8Array; readonly size: number}>;
  /** Where downloads go, under this name or the next one that is free. Gives its path, as people write it. */
  saveFile(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
  listFiles(directory: string): readonly {readonly name: string; readonly isDirectory: boolean}[];
}
