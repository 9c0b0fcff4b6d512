/** The functions of the terminal and the machine that the app uses. The program passes it to every App. */
export interface Device {
  /** Copies to the clipboard. Resolves with a text for a toast that says whether it worked. */
  copy(text: string): Promise<string>;
  /** Opens the URL in a browser. Resolves with a text for a toast, as `copy` does. */
  open(url: string): Promise<string>;
  /**
   * Opens the user's editor. Resolves with undefined when the text did not change; rejects with an error
   * whose message is a sentence for the user.
   */
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
  /** Whether the terminal reports Shift-Enter and Enter as different keys. */
  readonly reportsShiftEnter: boolean;
  readonly isRemote: boolean;
  readFile(path: string): Promise<{readonly name: string; readonly bytes: Uint8Array; readonly size: number}>;
  /**
   * Saves a file to the downloads folder, under this name or the next free one. Resolves with its path in the
   * form to show.
   */
  saveFile(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
  listFiles(directory: string): readonly {readonly name: string; readonly isDirectory: boolean}[];
}
