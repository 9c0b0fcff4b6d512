/** The switches of the mutants of one source file: what planted code calls. Each takes the number of a mutant first. */
export interface Switches {
  (id: number): boolean;
  not(id: number, value: unknown): unknown;
  compare(id: number, operator: string, left: number, right: number): unknown;
  drop<T>(id: number, value: T, call: (value: T) => T): T;
  /** Hides a promise from the `await` before it; `shown` returns it again. */
  hidden(id: number, value: unknown): unknown;
  shown(value: unknown): unknown;
}

class HiddenPromise {
  readonly promise: unknown;

  constructor(promise: unknown) {
    this.promise = promise;
  }
}

export function switchesOf(isOn: (id: number) => boolean): Switches {
  return Object.assign(isOn, {
    not: (id: number, value: unknown) => (isOn(id) ? !value : value),
    compare: (id: number, operator: string, left: number, right: number) => compare(operator, isOn(id), left, right),
    drop: <T>(id: number, value: T, call: (value: T) => T) => (isOn(id) ? value : call(value)),
    hidden: (id: number, value: unknown) => (isOn(id) ? new HiddenPromise(value) : value),
    shown: (value: unknown) => (value instanceof HiddenPromise ? value.promise : value),
  });
}

function compare(operator: string, isMutated: boolean, left: number, right: number): unknown {
  if (operator === '-') return isMutated ? left + right : left - right;
  if (operator === '===' || operator === '!==') return (left === right) !== ((operator === '!==') !== isMutated);
  // With the mutation, equal values give the other answer.
  if (left === right) return operator.endsWith('=') !== isMutated;
  return operator.startsWith('<') ? left < right : left > right;
}
