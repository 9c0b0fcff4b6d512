import type {ConfigSettings} from '#config/settings.ts';
import type {UnresolvedRule} from '#state/rules/match-rules.ts';
import type {Rule} from '#state/rules/rule.ts';
import type {ShownUnreads} from '#state/selectors/unreads/unread-counts.ts';
import type {Organizations} from '#ui/core/frame.ts';
import type {TextField} from '#ui/text/text-field.ts';
import type {App} from './app.ts';

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
  /** Until when nothing may notify, in milliseconds; 0 is not at all. It holds for all accounts, and after a restart. */
  readonly doNotDisturb: {readonly until: () => number; readonly set: (until: number) => void};
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
  /** Returns the PNG in the clipboard; rejects with an error whose message is a sentence for the user. */
  clipboardImage(maxBytes: number): Promise<Uint8Array<ArrayBuffer>>;
  /**
   * Saves a file to the downloads folder, under this name or the next free one. Resolves with its path in the
   * form to show.
   */
  saveFile(name: string, bytes: AsyncIterable<Uint8Array>): Promise<string>;
  /** Why no file can be chosen; undefined where the machine is the user's. */
  readonly fileProblem?: string;
  listFiles(directory: string): readonly {readonly name: string; readonly isDirectory: boolean}[];
}

/** An account that the user can switch to. */
interface AccountChoice {
  readonly name: string;
  /** The text behind the name: user name and server. */
  readonly detail: string;
  readonly isShown: boolean;
  /** Unread messages outside of muted conversations; undefined while the account was not opened. */
  readonly unreads: ShownUnreads | undefined;
}

/** The accounts in the order of their numbers. The program passes this to every App. */
export interface Accounts {
  list(): readonly AccountChoice[];
  /** Shows another account. Accounts that were opened stay connected. */
  show(index: number): void;
  /** Whether this account has the screen and the keys. */
  isShown?(accountName: string): boolean;
  /** Returns the organizations that the lists of this account show together; undefined where it is alone or not shown. */
  together?(accountName: string): Organizations | undefined;
  /** Returns the app of an open account. */
  appAt?(index: number): App | undefined;
  /** Shows another organization; if a list of all is shown in the app, the same list there. */
  showWithList?(app: App, index: number): void;
  /** Runs after each key or click in an app. Returns the app that has the keys from now on. */
  afterInput?(app: App): App;
  /**
   * Finds the server at an address; resolves with undefined when the text was the path of a zuliprc, whose account was added.
   * It and the functions of the server reject with an error whose message is for the user. They show the account that they add.
   * Undefined where accounts cannot be switched.
   */
  startLogin?(addressOrPath: string): Promise<LoginServer | undefined>;
  /** Returns what would be lost with an account, empty for nothing, or why it cannot be removed. Undefined as above. */
  removalOf?(index: number): {readonly lost: string} | {readonly problem: string};
  /** Ends the screen, removes an account from this machine, and opens the screen again if there are others. */
  remove?(index: number): void;
}

/** A server that the user wants to log in to. */
export interface LoginServer {
  readonly site: string;
  /** The name of the organization. */
  readonly name: string;
  /** Warnings about the server and the connection. */
  readonly notices: readonly string[];
  readonly acceptsPasswords: boolean;
  /** How the user can log in with the browser, if at all. */
  readonly browserLogins: readonly BrowserLogin[];
  logIn(email: string, passwordOrKey: string): Promise<void>;
}

interface BrowserLogin {
  readonly name: string;
  /** The address to open in a browser, on any machine. */
  readonly address: string;
  /** What to do in the browser. */
  readonly steps: string;
  /** Logs in with the address that the browser was sent to. */
  finish(pasted: string): Promise<void>;
}

/** The account list of an App that has nothing to switch to. */
export const onlyAccount: Accounts = {list: () => [], show: () => {}};

/** The settings of `config.toml` that the screen uses. */
export interface AppSettings extends Omit<ConfigSettings, 'enterSends'> {
  /** Undefined: use the account's setting. */
  readonly enterSends: boolean | undefined;
}

export type LocalSettingValue = boolean | number | string;

/** A setting of `config.toml`, for the settings screen. */
export interface LocalSetting {
  readonly key: string;
  /** The name in the file. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly default: LocalSettingValue;
  readonly value: LocalSettingValue;
  /** The values to choose from with their names on the screen; undefined for switches and numbers. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** The limits of a number. */
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly unit?: string | undefined;
  /** What a text may be, after “must be”, and whether it is. */
  readonly allowed?: string | undefined;
  readonly isAllowed?: ((value: string) => boolean) | undefined;
}

/**
 * The result of saving a setting; `statusText` completes a sentence. The setting applies until the program
 * ends in any case.
 */
interface SaveResult {
  readonly isSaved: boolean;
  readonly statusText: string;
}

/** The settings of this program. */
export interface LocalSettings {
  list(): readonly LocalSetting[];
  /** Applies a setting to all accounts and saves it for the next start. */
  change(key: string, value: LocalSettingValue): SaveResult;
  /** Returns values of a setting that only this machine has, such as the user's own themes. */
  choicesOf?(key: string): readonly string[];
  /** Shows a value until another one is shown or, with undefined, the saved value is shown again. */
  preview?(key: string, value: LocalSettingValue | undefined): void;
}

/** Where there is no settings file. */
export const noLocalSettings: LocalSettings = {
  list: () => [],
  change: () => ({isSaved: true, statusText: 'until Parley ends'}),
};

/** The rules that could be read, and a sentence for each that could not. */
export interface LoadedRules {
  readonly rules: readonly Rule[];
  readonly problems: readonly string[];
  /** Returns a problem with the place of the rule in the file. */
  problemText(problem: UnresolvedRule): string;
}

/** The file with the rules of triage. */
export interface RulesFile {
  /** As it is shown. */
  readonly path: string;
  /** Returns a text that changes when the file does; undefined when there is none. */
  changeMark(): string | undefined;
  read(): Promise<LoadedRules>;
  /** Adds the text of a rule. Rejects with an error whose message is for the user, and then changes nothing. */
  append(toml: string): Promise<void>;
}

/** Saves the composer's text to disk while the user types. */
export interface ComposerPersistence {
  readonly isUnsaved: boolean;
  /** Schedules a save after the text changed. */
  scheduleSave(): void;
  /** Cancels the scheduled save: the text was sent, or saved in another way. */
  cancelSave(): void;
  /** Saves at once. Returns false when writing to disk failed. */
  flush(): boolean;
  /** Remembers a field together with its undo history. */
  rememberField(field: TextField): void;
  /** Returns a field with this text, including the undo history when the text was typed in this session. */
  rememberedField(text: string, kills: readonly string[]): TextField;
}
