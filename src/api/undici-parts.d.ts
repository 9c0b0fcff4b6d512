// The parts of undici that `make-dispatcher.ts` imports by their files, with the types that its index gives them.

declare module 'undici/lib/api/api-connect.js' {
  import type {Dispatcher} from 'undici';

  const connect: Dispatcher['connect'];
  export = connect;
}

declare module 'undici/lib/dispatcher/agent.js' {
  import {Agent} from 'undici';

  export = Agent;
}

declare module 'undici/lib/dispatcher/dispatcher.js' {
  import {Dispatcher} from 'undici';

  export = Dispatcher;
}

declare module 'undici/lib/dispatcher/env-http-proxy-agent.js' {
  import {EnvHttpProxyAgent} from 'undici';

  export = EnvHttpProxyAgent;
}

declare module 'undici/lib/dispatcher/pool.js' {
  import {Pool} from 'undici';

  export = Pool;
}
