import type {DeclaredReads, MemoObserver} from '#std/memo.ts';

// biome-ignore lint/suspicious/noExplicitAny: Selectors of any arguments.
type AnyFunction = (...args: any[]) => unknown;

/** A selector that was created while the recorder observed. */
interface RecordedSelector {
  /** The file and line where it was created. */
  readonly name: string;
  readonly declared: DeclaredReads;
  /** The selector as others call it. */
  call: AnyFunction;
  computations: number;
  /** What its computations read and it does not declare. */
  readonly undeclared: Set<string>;
}

export interface SelectorCall {
  readonly selector: RecordedSelector;
  readonly args: readonly unknown[];
  readonly result: unknown;
}

/** Where a proxy stands for which object, and what notes the reads of it. */
interface ProxyOrigin {
  readonly raw: object;
  readonly path: string;
  readonly recording: Recording;
}

const origins = new WeakMap<object, ProxyOrigin>();

/** What one run of a function reads of its arguments. */
class Recording {
  readonly #reads = new Map<string, unknown>();
  readonly #proxies = new Map<string, object>();
  readonly calls: SelectorCall[] = [];
  #isOpen = true;

  /** Runs a function with arguments whose reads are noted. The first argument has the path ``, the others `$1`, `$2` … */
  run<T>(compute: (...args: unknown[]) => T, args: readonly unknown[]): T {
    for (const [at, value] of args.entries()) if (at > 0) this.#reads.set(`$${at}`, value);
    return compute(...args.map((value, at) => this.#watched(value, at === 0 ? '' : `$${at}`)));
  }

  close(): void {
    this.#isOpen = false;
  }

  note(call: SelectorCall): void {
    if (this.#isOpen) this.calls.push(call);
  }

  /** The paths that were read: of plain objects only those that the result has, because others may be on the way to a read. */
  leaves(result: unknown): ReadonlySet<string> {
    const read = [...this.#reads].flatMap(([path, value]) => (isPlain(value) ? [] : [path]));
    return new Set([...read, ...pathsIn(result)]);
  }

  /** Returns what was found at a path on the way to a read. */
  valueAt(path: string): unknown {
    return this.#reads.get(path);
  }

  #watched(value: unknown, path: string): unknown {
    // The private fields and maps of other objects could not be read through a proxy.
    if (!isPlain(value) || origins.has(value)) return value;
    const known = this.#proxies.get(path);
    if (known !== undefined && origins.get(known)?.raw === value) return known;
    const proxy = new Proxy<Record<PropertyKey, unknown>>(
      {},
      {
        get: (_shadow, name) => {
          const found = value[name];
          if (typeof name === 'symbol') return found;
          const to = path === '' ? name : `${path}.${name}`;
          if (this.#isOpen) this.#reads.set(to, found);
          return this.#watched(found, to);
        },
        has: (_shadow, name) => name in value,
        ownKeys: () => Reflect.ownKeys(value),
        getOwnPropertyDescriptor: (_shadow, name) =>
          name in value ? {configurable: true, enumerable: true, writable: true, value: value[name]} : undefined,
      },
    );
    origins.set(proxy, {raw: value, path, recording: this});
    this.#proxies.set(path, proxy);
    return proxy;
  }
}

function isPlain(value: unknown): value is Record<PropertyKey, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Returns `a`, `a.b`, `a.b.c` for `a.b.c`. */
function pathsTo(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.map((_, at) => parts.slice(0, at + 1).join('.'));
}

/** Returns the object that a proxy stands for; a plain object of such proxies with what they stand for. */
function unwrapped(value: unknown): unknown {
  if (!isPlain(value)) return value;
  const origin = origins.get(value);
  if (origin !== undefined) return origin.raw;
  const values = Object.values(value);
  if (!values.some((one) => isPlain(one) && origins.has(one))) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unwrapped(one)]));
}

/** Returns the paths of the proxies in a result. */
function pathsIn(result: unknown, depth = 4): readonly string[] {
  if (typeof result !== 'object' || result === null) return [];
  const origin = origins.get(result);
  if (origin !== undefined) return [origin.path];
  if (depth === 0 || !(isPlain(result) || Array.isArray(result) || result instanceof Map)) return [];
  const values: readonly unknown[] = result instanceof Map ? [...result.values()] : Object.values(result);
  return values.flatMap((value) => pathsIn(value, depth - 1));
}

/** Returns the origins of an argument, which may be a plain object of proxies such as `{account}`. */
function originsIn(value: unknown): readonly ProxyOrigin[] {
  if (!isPlain(value)) return [];
  const own = origins.get(value);
  if (own !== undefined) return [own];
  return Object.values(value).flatMap((one) => (isPlain(one) ? (origins.get(one) ?? []) : []));
}

/** Returns the path of a property of an argument; undefined if it was read before, and noted then. */
function pathOf(value: unknown, name: string): string | undefined {
  if (!isPlain(value)) return undefined;
  const own = origins.get(value);
  if (own !== undefined) return own.path === '' ? name : `${own.path}.${name}`;
  const found = value[name];
  return isPlain(found) ? origins.get(found)?.path : undefined;
}

/** Arguments for the functions of results, which read later: ids, a name with an id, a name. */
const laterArguments: readonly (readonly unknown[])[] = [[[11]], [11, 'Carol Diaz'], ['Carol Diaz']];

/** Calls the functions of a result: what they read counts as read by the computation. */
function callFunctions(result: unknown, depth = 2): void {
  if (!isPlain(result) || origins.has(result)) return;
  for (const value of Object.values(result)) {
    if (depth > 0) callFunctions(value, depth - 1);
    if (typeof value !== 'function') continue;
    for (const args of laterArguments) {
      try {
        Reflect.apply(value, result, args);
      } catch {
        // A function of other arguments.
      }
    }
  }
}

/** Runs every computation of remembered selectors a second time, and notes what it reads without having declared it. */
export class MemoRecorder {
  readonly selectors: RecordedSelector[] = [];
  /** Whether computations run a second time to note what they read. */
  isChecking = true;
  /** Called with every call of a selector by others. */
  onCall: ((call: SelectorCall) => void) | undefined;

  readonly observer: MemoObserver = (declared, compute, make) => {
    const name = creationSite(new Error('created'));
    const selector: RecordedSelector = {name, declared, call: () => {}, computations: 0, undeclared: new Set()};
    const run = compute as AnyFunction;
    const watched: AnyFunction = (...args) => {
      const result = run(...args);
      selector.computations += 1;
      if (this.isChecking) this.#check(selector, run, args);
      return result;
    };
    const made = make(watched as typeof compute) as AnyFunction;
    const call: AnyFunction = (...args) => {
      const result = made(...args.map(unwrapped));
      const recordings = new Set(args.flatMap(originsIn).map(({recording}) => recording));
      for (const recording of recordings) recording.note({selector, args, result});
      this.onCall?.({selector, args, result});
      return result;
    };
    selector.call = call;
    this.selectors.push(selector);
    return call as ReturnType<typeof make>;
  };

  #check(selector: RecordedSelector, compute: AnyFunction, args: readonly unknown[]): void {
    const {declared} = selector;
    // A computation that starts from the result before reads only what changed.
    const whole =
      'slices' in declared ? args.map((arg, at) => (at > 0 && typeof arg === 'object' ? undefined : arg)) : args;
    const read = new Recording();
    const result = read.run(compute, whole);
    callFunctions(result);
    read.close();
    const covers = 'slices' in declared ? coveredBySlices(declared.slices) : coveredByInputs(declared.inputs, args);
    for (const path of read.leaves(result)) if (!covers.path(path, read)) selector.undeclared.add(path);
    for (const call of read.calls) {
      if (covers.call(call)) continue;
      for (const path of readsOf(call)) {
        if (!covers.path(path, read)) selector.undeclared.add(`${path} by ${call.selector.name}`);
      }
    }
  }
}

interface Coverage {
  path(path: string, read: Recording): boolean;
  call(call: SelectorCall): boolean;
}

/** The slices that are named, and the owner of the results. */
function coveredBySlices(slices: readonly PropertyKey[]): Coverage {
  const names = new Set<PropertyKey>([...slices, 'self']);
  return {
    // A result may have the state itself to compare a later one with it.
    path: (path) => path === '' || path.startsWith('$') || names.has(path.split('.')[0] ?? ''),
    call: () => false,
  };
}

/**
 * An input covers what is inside of it. An input that is computed covers what the function of the inputs reads for it; a
 * remembered selector that it calls is covered as a whole, and a version of slices covers these.
 */
function coveredByInputs(inputs: AnyFunction, args: readonly unknown[]): Coverage {
  const declared = new Recording();
  const list = declared.run(inputs as (...args: unknown[]) => readonly unknown[], args);
  declared.close();
  const objects = new Set(list.map(unwrapped).filter((value) => typeof value === 'object' && value !== null));
  const leaves = declared.leaves(list);
  const selectors = new Set(declared.calls.map(({selector}) => selector));
  const versions = declared.calls.filter(({selector}) => 'isVersion' in selector.declared);
  const covered = new Set([...leaves, ...versions.flatMap(readsOf)]);
  return {
    path: (path, read) =>
      isOfOwner(path) || pathsTo(path).some((part) => covered.has(part) || objects.has(read.valueAt(part) as object)),
    call: ({selector, result}) => selectors.has(selector) || objects.has(result as object),
  };
}

/** The results end with the app of the frame, whose facts never change; frames made from its frames have no keys. */
function isOfOwner(path: string): boolean {
  return pathsTo(path)[0] === 'info' && !path.startsWith('info.keys');
}

/** Returns the paths that a selector declares to read, in the arguments of the recording that it was called in. */
function readsOf({selector: {declared}, args}: SelectorCall): readonly string[] {
  if ('slices' in declared) return declared.slices.flatMap((name) => pathOf(args[0], String(name)) ?? []);
  const inner = new Recording();
  const list = inner.run(declared.inputs, args.map(unwrapped));
  inner.close();
  const [first] = args.flatMap((arg) => originsIn(arg));
  const within = (path: string) => (first === undefined || first.path === '' ? path : `${first.path}.${path}`);
  const direct = [...inner.leaves(list)].filter((path) => !path.startsWith('$'));
  return [...direct, ...inner.calls.flatMap(readsOf)].map(within);
}

/** Returns the place of the first caller outside of the functions that remember: `ui/inbox/triage-rows.ts:64`. */
function creationSite({stack = ''}: Error): string {
  const sites = stack.split('\n').flatMap((line) => {
    const match = /\/src\/([^):?]+\.tsx?)[^):]*:(\d+)/.exec(line);
    return match === null ? [] : [`${match[1]}:${match[2]}`];
  });
  const own = /^(?:std\/memo|ui\/core\/frame|ui\/lists\/list-source)\.ts/;
  return sites.find((site) => !own.test(site)) ?? 'unknown';
}
