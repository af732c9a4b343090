export interface Requirement {
  /** What users of the program can count on. */
  readonly promise: string;
  /** Where the promise was made. */
  readonly source:
    | 'issue 2'
    | 'issue 3'
    | 'issue 4'
    | 'issue 5'
    | 'issue 6'
    | 'issue 7'
    | 'issue 15'
    | 'issue 16'
    | 'issue 17'
    | 'issue 19'
    | 'issue 20'
    | 'issue 21'
    | 'issue 22'
    | 'issue 23'
    | 'issue 24'
    | 'issue 25'
    | 'issue 26'
    | 'architecture'
    | 'house style'
    | 'compat: cli'
    | 'compat: policy'
    | 'compat: sessions'
    | 'compat: settings'
    | 'compat: tools'
    | 'compat: workspace';
}

/**
 * What this program promises. A test that shows one ends its title with the id in brackets; a journey names it in
 * `cites`.
 */
export const requirements = {
  'peer.earlier': {promise: 'Clients of A2A 0.3 are served as they expect.', source: 'issue 25'},
  'peer.rest': {promise: 'What A2A has over JSON-RPC, it has over REST.', source: 'issue 25'},
  'peer.tasks': {
    promise: 'Another agent sends a message over A2A and gets a task that ends as it did.',
    source: 'issue 25',
  },
  'peer.questions': {
    promise: 'A task waits for input only for a question, which its next message answers.',
    source: 'issue 25',
  },
  'peer.apart': {promise: 'A caller over A2A sees and cancels its own tasks only.', source: 'issue 25'},
  'peer.restart': {promise: 'Tasks of other agents survive a restart, or end with the reason.', source: 'issue 25'},
  'peer.tokens': {promise: 'No other agent is served without a token that counts now.', source: 'issue 25'},
  'peer.openid': {
    promise: 'Tokens of OpenID Connect are checked by issuer, audience, subject and time, and by published keys only.',
    source: 'issue 25',
  },
  'peer.tls': {
    promise: 'Another machine is served over TLS only, and a client certificate can be the login.',
    source: 'issue 25',
  },
  'peer.commands': {
    promise: 'Callers list and run commands that read, as in Gemini CLI, and no others.',
    source: 'issue 25',
  },
  'peer.developer': {
    promise: 'Callers that ask for the development-tool extension get typed calls and answer with choices.',
    source: 'issue 25',
  },
  'peer.store': {
    promise: 'Tasks are kept by a store that a plugin can replace; the one of files loses none and leaks none.',
    source: 'issue 25',
  },
  'peer.kit': {
    promise: 'The A2A server does what the official kit of the protocol requires, in 1.0 and 0.3.',
    source: 'issue 25',
  },
  'peer.killed': {
    promise: 'After kill -9 of the server each task has an end that is named, and its conversation continues.',
    source: 'issue 25',
  },
  'peer.guarded': {promise: 'Web pages, other names and floods are refused by the server of A2A.', source: 'issue 25'},
  'peer.scoped': {
    promise: 'Nothing in a request changes the folder, the mode or the trust of a token.',
    source: 'issue 25',
  },
  'peer.limits': {promise: 'Tasks of one caller are limited, and each ends.', source: 'issue 25'},
  'peer.caller': {
    promise: 'A rule about a caller counts for sessions of that caller and those below them, and for no other.',
    source: 'issue 25',
  },
  'peer.push': {
    promise: 'Receivers get what happens in tasks of A2A in order, to its end, and only where they may be.',
    source: 'issue 25',
  },
  'sdk.recipes': {
    promise: 'Each recipe of docs/sdk.md compiles, and does what its reader expects.',
    source: 'issue 25',
  },
  'sdk.packed': {
    promise: 'The packed SDK works in an empty folder, in TypeScript and in JavaScript.',
    source: 'issue 25',
  },
  'sdk.events': {promise: 'The SDK gives the events that the program prints as stream-json.', source: 'issue 25'},
  'sdk.answer': {
    promise: 'A function of the program answers questions; without it they are refused.',
    source: 'issue 25',
  },
  'sdk.tools': {promise: 'A tool of a program takes the one path of every call.', source: 'issue 25'},
  'sdk.process': {promise: 'Nothing of the process reaches an agent unless the program says so.', source: 'issue 25'},
  'sdk.cancel': {promise: 'A prompt of the SDK can be cancelled, and its session continues.', source: 'issue 25'},
  'sdk.resume': {promise: 'A session continues in another front end, under the same id.', source: 'issue 25'},
  'sdk.steer': {promise: 'A session of the SDK is steered while it lasts.', source: 'issue 25'},
  'sdk.spans': {promise: 'A program hears of each answer of a plugin.', source: 'issue 25'},
  'sdk.apart': {promise: 'Agents of one process see nothing of each other.', source: 'issue 25'},
  'sdk.dispose': {promise: 'A disposed agent leaves nothing behind.', source: 'issue 25'},
  'sdk.invalid': {
    promise: 'What a program gives is refused with a sentence when it cannot be used.',
    source: 'issue 25',
  },
  'sdk.plugins': {
    promise: 'An agent of the SDK has the plugins that the program gives, or does not start.',
    source: 'issue 25',
  },
  'sdk.managed': {promise: "The SDK is no way around an administrator's rules.", source: 'issue 25'},
  'sdk.compatible': {
    promise: 'A program for the SDK of Gemini CLI runs with the compatible entry.',
    source: 'issue 25',
  },
  'hooking.contract': {
    promise: 'A hook of Gemini CLI gets the input and is read by the output and the exit codes that it knows.',
    source: 'issue 20',
  },
  'hooking.events': {
    promise: 'Each event of Gemini CLI has the effect that its hooks expect, through the moment of that event.',
    source: 'issue 20',
  },
  'hooking.failure': {
    promise: 'A hook ends in one of the outcomes of a table, and what a failure stops is declared.',
    source: 'issue 20',
  },
  'hooking.process': {
    promise: 'A hook has an end: its own, its timeout, that of the call or that of the session, and gets no secret.',
    source: 'issue 20',
  },
  'hooking.never-loosens': {
    promise: 'A hook that allows something does not loosen what policy asks about or denies.',
    source: 'issue 20',
  },
  'hooking.order': {
    promise:
      'Hooks run side by side or in sequence, each with what the one before changed; deny wins over ask over allow.',
    source: 'issue 20',
  },
  'hooking.matcher': {
    promise: 'A matcher for tools is a regular expression that may match anywhere; an invalid one is compared as text.',
    source: 'issue 20',
  },
  'hooking.foreign': {
    promise: 'What a hook adds for the model is marked as such and cannot leave its mark.',
    source: 'issue 20',
  },
  'hooking.untrusted': {promise: 'No hook of a project runs where its folder is not trusted.', source: 'issue 20'},
  'hooking.acknowledged': {
    promise: 'A hook of a project runs only after a person has agreed to its content.',
    source: 'issue 20',
  },
  'hooking.layers': {
    promise: 'What a project says neither disables hooks of the person nor those of an administrator.',
    source: 'issue 20',
  },
  'hooking.why': {
    promise: 'gemini why shows each hook that ran for a call, and whether its failure stopped the call.',
    source: 'issue 20',
  },
  'hooking.proven': {
    promise: 'gemini doctor gives each hook that guards the event that its probe declares, and names those that fail.',
    source: 'issue 20',
  },
  'hooking.session': {
    promise: 'SessionStart and SessionEnd say why: startup, resume, clear; exit, clear, other.',
    source: 'issue 20',
  },
  'hooking.disabled': {promise: 'Hooks are disabled by name, by command, or altogether.', source: 'issue 20'},
  'hooking.config': {
    promise: 'A hook that is configured twice runs once; one that is invalid is named and the others run.',
    source: 'issue 20',
  },
  'hooking.sources': {promise: 'Other plugins bring hooks through a family of services.', source: 'issue 20'},
  'hooking.announced': {promise: 'Plugins hear of each run of a hook, with its input and outcome.', source: 'issue 20'},
  'hooking.import': {promise: 'Hooks of Claude Code are taken over and keep their JSON.', source: 'issue 20'},
  'hooking.commands': {
    promise: 'Hooks are listed, shown, tried, disabled, trusted and imported by commands.',
    source: 'issue 20',
  },
  'hooking.guide': {promise: 'Every example of the guide on hooks works.', source: 'issue 20'},
  'hooking.cost': {
    promise: 'Without a hook that matches no process starts and nothing more is loaded.',
    source: 'issue 20',
  },
  'hooks.failures': {
    promise:
      'A listener that throws or hangs is left out and reported, or counts as no; which one, the kind of its ' +
      'moment says.',
    source: 'architecture',
  },
  'hooks.transform-drops': {
    promise: 'The change of a transform listener that fails is dropped and reported, unless it is critical.',
    source: 'architecture',
  },
  'hooks.gate-closed': {
    promise: 'A gate listener that throws, hangs or cannot be imported counts as deny, by name.',
    source: 'architecture',
  },
  'hooks.wrap-names': {promise: 'A wrap listener that fails stops the wrapped act, by name.', source: 'architecture'},
  'hooks.deadline': {
    promise: 'Every listener has a deadline and a signal that says when it is over.',
    source: 'architecture',
  },
  'hooks.order': {
    promise: 'Listeners stand in the order of their constraints, never of loading.',
    source: 'architecture',
  },
  'hooks.order-circle': {
    promise: 'Constraints that go round in a circle are refused, naming who stands in it.',
    source: 'architecture',
  },
  'hooks.filter': {promise: 'A call that a filter does not match does not run the listener.', source: 'architecture'},
  'hooks.filter-invalid': {
    promise: 'A filter by what a moment does not offer is an error of its plugin.',
    source: 'architecture',
  },
  'hooks.unknown-refused': {
    promise: 'Listening to a moment that does not exist is an error of the plugin, never a silent no-op.',
    source: 'architecture',
  },
  'hooks.reserved': {
    promise: 'Moments whose answers can loosen something take listeners of the product only.',
    source: 'issue 3',
  },

  'install.proxy': {promise: 'Plugins are installed through the proxy that the variables name.', source: 'issue 17'},
  'install.bytes': {promise: 'The bytes of a plugin that were verified are the bytes that run.', source: 'issue 15'},
  'doctor.apart': {
    promise: 'An installed plugin that ends the program or never returns is named by the doctor, not its end.',
    source: 'issue 15',
  },
  'load.lost': {
    promise: 'A start that never came back from loading a plugin is named by the next one.',
    source: 'issue 15',
  },
  'ide.port-owner': {
    promise: 'Nothing is sent to an editor whose port belongs to another user of the machine.',
    source: 'issue 15',
  },
  'ide.open-diff': {promise: 'What an editor accepts counts only for a diff that it has on show.', source: 'issue 15'},
  'approvals.reveal': {
    promise:
      'What a person is shown is what runs: invisible characters are spelled out, and every part that needs an ' +
      'approval is named.',
    source: 'issue 15',
  },
  'model.bounded': {
    promise: 'What a model sends is bounded in memory, and too much of it is an error with a name.',
    source: 'issue 15',
  },
  'agent.calls-bounded': {
    promise: 'Of the calls that one answer asks for a bounded number is run.',
    source: 'issue 15',
  },
  'model.instructions': {
    promise: 'What a model writes stays the words of a model, and opens nothing that rules close.',
    source: 'issue 15',
  },
  'signals.end': {
    promise: 'SIGTERM and SIGINT end a run within two seconds, whatever a model sends.',
    source: 'issue 15',
  },
  'agent.silence': {
    promise: 'A server, a proxy or a name server that does not answer is named within five seconds.',
    source: 'issue 15',
  },
  'cache.is-code': {
    promise: 'What V8 compiled is used only if no one but this user and root could have written it.',
    source: 'issue 15',
  },

  'services.lazy': {promise: 'A service is created on first use, once, and disposed in reverse.', source: 'issue 2'},
  'services.scopes': {promise: 'A service lives as long as a session, or as long as the program.', source: 'issue 2'},
  'services.versions': {
    promise: 'A missing or wrong version of a service is an error that names both plugins before anything runs.',
    source: 'architecture',
  },
  'services.declared': {promise: 'A plugin reaches only services that its manifest requires.', source: 'architecture'},

  'services.optional': {
    promise: 'A plugin can use a service when it is there, and works without it.',
    source: 'issue 5',
  },

  'calls.unknown-nearest': {promise: 'A call of an unknown tool names the nearest ones.', source: 'architecture'},
  'calls.input-checked': {
    promise: 'The input of a call is checked before anything is asked, and again after it was changed.',
    source: 'architecture',
  },
  'calls.edited-judged': {
    promise: 'An input that a person edited is checked and judged again.',
    source: 'architecture',
  },
  'calls.nobody-refused': {
    promise: 'A call that needs a person is refused when there is no person to ask.',
    source: 'architecture',
  },
  'calls.in-order': {promise: 'Calls that change things run one after the other.', source: 'architecture'},
  'calls.abort': {promise: 'An aborted call throws the reason of its signal, unwrapped.', source: 'house style'},
  'calls.trace': {
    promise: 'The trace of a call says who saw it, what each answered and how long it took.',
    source: 'issue 2',
  },
  'calls.asker': {
    promise: 'Only plugins of the product make calls that a person asked for; a rule that denies them still counts.',
    source: 'issue 17',
  },
  'calls.json': {promise: 'An input that is not JSON fails its call with a sentence.', source: 'issue 17'},
  'calls.nested': {
    promise:
      'A call that changes things and is made by a running one takes part in its turn; it never waits for itself.',
    source: 'issue 17',
  },
  'tools.subject': {
    promise: 'A tool marks the touch that it works on; what was judged under that mark is what it opens.',
    source: 'issue 17',
  },
  'sources.lists': {
    promise: 'A plugin asks for what the sources of a family list; each list is kept until its source changes it.',
    source: 'issue 17',
  },
  'sources.commands': {
    promise: 'A command of a source is a slash command, with its owner, completion and one rule for clashes.',
    source: 'issue 17',
  },
  'sources.context': {
    promise: 'Context of a source reaches the model with its owner, marked when it is foreign, again when it changes.',
    source: 'issue 17',
  },
  'sources.owner': {
    promise: 'Lists, gemini why, policy, traces and approvals name the plugin that owns a tool of a source.',
    source: 'issue 17',
  },
  'sources.tools': {
    promise:
      'A tool of a source has touches, preview, progress, annotations and an output schema, and names its plugin.',
    source: 'issue 17',
  },
  'sources.changed': {promise: 'What a source lists is kept until it says that it changed.', source: 'issue 17'},
  'sources.clash': {promise: 'Of two tools of one name the first counts, and that is said once.', source: 'issue 17'},
  'sources.fault': {promise: 'A source that fails lists nothing and is named; the others list.', source: 'issue 17'},
  'places.shared': {
    promise: 'Sessions with the same directory, variables and flags share the services of their place.',
    source: 'issue 17',
  },
  'places.apart': {
    promise:
      'Places of one process do not see each other: settings, trust, variables, proxies; closing one leaves nothing.',
    source: 'issue 17',
  },
  'places.program': {promise: 'A service of the program sees no directory, variables or flags.', source: 'issue 17'},
  'places.parent': {
    promise: 'A session opened by another is in its place and mode, and ends with it.',
    source: 'issue 17',
  },
  'notices.host': {
    promise: 'A notice that no listener showed is printed by the host, before the end.',
    source: 'issue 17',
  },
  'notices.scope': {promise: 'A notice reaches the sessions of the scope that it comes from.', source: 'issue 17'},
  'notices.once': {promise: 'A notice with a key is sent once in its scope.', source: 'issue 17'},
  'notices.faults': {
    promise: 'A listener of notices that fails causes one notice, and loses none.',
    source: 'issue 17',
  },
  'notices.stream': {
    promise: 'A headless run reports notices on standard error and as events of stream-json.',
    source: 'issue 17',
  },
  'notices.screen': {promise: 'A conversation shows notices on its screen.', source: 'issue 17'},
  'notices.listed': {promise: 'Every code of a notice is listed in docs/errors.md.', source: 'issue 17'},
  'ask.race': {
    promise: 'A form is answered by the first user interface that replies, else by the host.',
    source: 'issue 17',
  },
  'ask.fit': {promise: 'Values that do not fit a form count as closed, and that is reported.', source: 'issue 17'},
  'ask.form': {
    promise: 'A form that user interfaces could not show rejects, with what is wrong with it.',
    source: 'issue 17',
  },
  'ask.nobody': {promise: 'A form that reaches no one says so; nothing is guessed.', source: 'issue 17'},
  'ask.session': {promise: 'Only services of a session ask the person.', source: 'issue 17'},
  'ask.screen': {promise: 'A conversation shows forms on its screen, and no secret.', source: 'issue 17'},
  'ask.everywhere': {promise: 'Commands ask the person with forms, in a conversation too.', source: 'issue 17'},
  'ask.lines': {promise: 'Plain lines ask for each field until it fits.', source: 'issue 17'},
  'contracts.pinned': {promise: 'The declarations that plugins compile against are pinned.', source: 'issue 17'},
  'contracts.breaks': {promise: 'A contract that breaks is found unless its version announces it.', source: 'issue 17'},
  'session.mode': {promise: 'A running session changes its mode unless a listener keeps it.', source: 'issue 17'},
  'calls.runtime-tools': {
    promise: 'Tools that exist only at run time take the same path as all others.',
    source: 'architecture',
  },
  'calls.described': {promise: 'What a call would be can be asked without judging or running it.', source: 'issue 3'},
  'calls.approved': {
    promise: 'An approval that is to last is announced with the call it was given for.',
    source: 'issue 3',
  },
  'calls.ended': {
    promise: 'The end of every call is announced, with who judged it and what was changed.',
    source: 'issue 3',
  },
  'calls.permits': {
    promise: 'What a call finds only while it runs is judged before it is shown, by the judges of the call.',
    source: 'issue 5',
  },
  'session.begin': {
    promise:
      'How a session starts out is settled before its first call, and a session that may not begin runs nothing.',
    source: 'issue 3',
  },

  'kernel.small': {promise: 'The kernel is small on purpose.', source: 'issue 2'},
  'kernel.dependencies': {
    promise: 'The kernel depends on ajv only, and on oclif in the one module that meets it.',
    source: 'issue 2',
  },
  'kernel.names-no-plugin': {
    promise: 'The kernel names no plugin, and no command, setting, file or folder of the product.',
    source: 'issue 17',
  },
  'host.hints': {promise: 'A host completes the advice of errors, as the kernel knows no command.', source: 'issue 17'},
  'host.services': {
    promise: 'A host provides services of its own; what it keeps for the product no installed plugin is given.',
    source: 'issue 17',
  },
  'surface.pinned': {
    promise: 'Commands, flags, tool inputs, moments, services, codes and exports change only on purpose.',
    source: 'house style',
  },

  'faults.named': {promise: 'A broken plugin is named with its reason and left out.', source: 'issue 2'},
  'faults.others-work': {promise: 'Beside a broken plugin every other plugin works.', source: 'issue 2'},
  'faults.import': {promise: 'Code that throws on import breaks its own contribution and no other.', source: 'issue 2'},
  'faults.manifest': {promise: 'A bad manifest is named with its file and what is wrong in it.', source: 'issue 2'},
  'faults.kernel-version': {
    promise: 'A plugin for another kernel version is left out, naming both.',
    source: 'issue 2',
  },
  'faults.service-missing': {
    promise: 'A plugin that needs a missing service is left out, and only what needs it in turn.',
    source: 'issue 2',
  },
  'faults.service-throws': {
    promise: 'A service that throws while it is created is named with its plugin.',
    source: 'issue 2',
  },
  'faults.hangs': {promise: 'A service that hangs while it is created is given up and named.', source: 'issue 2'},
  'faults.reserved-name': {promise: 'No installed plugin can pass for a first-party one.', source: 'architecture'},
  'faults.name-taken': {
    promise: 'No installed plugin can take the place of a tool or command of the distribution.',
    source: 'architecture',
  },
  'faults.lock': {
    promise: 'With a lock, only what it holds may load, as it was when it was locked.',
    source: 'architecture',
  },
  'doctor.lists': {
    promise:
      'gemini doctor lists every plugin with its state, the cause and its cost, and ends with 1 when one is broken.',
    source: 'issue 2',
  },

  'doctor.says': {promise: 'gemini doctor shows what services say of their state.', source: 'issue 5'},

  'search.same-answers': {promise: 'Every search engine gives the same files, lines and order.', source: 'issue 5'},
  'search.order': {
    promise: 'Lines are given by path and line, whatever the engine and the timing of its threads.',
    source: 'issue 5',
  },
  'search.limits': {
    promise: 'A limit gives the first matches by path, and the rest of the tree is not read for it.',
    source: 'issue 5',
  },
  'search.patterns': {
    promise:
      'A regular expression means what it means in JavaScript, in every engine; look-around and back-references work.',
    source: 'issue 5',
  },
  'search.pattern-position': {
    promise: 'A pattern that cannot be read is an error with the position.',
    source: 'issue 5',
  },
  'search.odd-files': {
    promise:
      'Binary files, UTF-16, long lines, odd names, links that go in circles and unreadable directories are dealt ' +
      'with as said.',
    source: 'issue 5',
  },
  'search.ignore': {
    promise: 'What a search leaves out is what the workspace says is ignored, as git has it.',
    source: 'issue 5',
  },
  'search.roots': {
    promise: 'A search without a directory is over every directory of the workspace, and names nothing twice.',
    source: 'architecture',
  },
  'search.judged': {promise: 'No line of a file is shown that may not be read.', source: 'issue 5'},
  'search.engine': {
    promise: 'gemini says which engine searches, and why; nothing is downloaded, and no ripgrep configuration is read.',
    source: 'issue 5',
  },
  'search.input': {promise: 'Every input of a search is checked, and what is wrong is said.', source: 'issue 5'},
  'search.progress': {promise: 'What is found is reported while the search runs.', source: 'issue 5'},
  'search.cancel': {promise: 'A search that is given up ends at once, and leaves nothing running.', source: 'issue 5'},
  'glob.order': {
    promise: 'glob gives files that changed within a day first, the newest at the top, then the others by path.',
    source: 'compat: tools',
  },
  'glob.literal': {promise: 'A glob pattern that is the path of a file means that file.', source: 'compat: tools'},
  'grep.form': {promise: 'grep_search gives what Gemini CLI gives, with absolute paths.', source: 'compat: tools'},
  'files.find': {
    promise: 'Files are found by a part of their path, the best first, while the workspace is still being listed.',
    source: 'issue 5',
  },
  'files.mention': {
    promise: 'An @name in a prompt that is the name of one file means that file, wherever it lies.',
    source: 'compat: tools',
  },

  'errors.branded': {promise: 'Errors are recognised by brand, across copies of the kernel.', source: 'architecture'},
  'errors.listed': {
    promise: 'Every error code is in use, tested, and listed in docs/errors.md.',
    source: 'house style',
  },
  'errors.exit-codes': {
    promise: 'An error code stands for one exit code, given by the plugin that throws it.',
    source: 'architecture',
  },
  'errors.json': {promise: 'With --json a failure is an object on standard output too.', source: 'architecture'},

  'cli.version': {promise: 'gemini --version is one line.', source: 'issue 2'},
  'cli.help': {promise: 'The help of a command names what it does and every flag.', source: 'issue 2'},
  'cli.usage-errors': {promise: 'A wrong use of a command says what is wrong and ends with 1.', source: 'issue 2'},
  'cli.unknown-command': {promise: 'An unknown command ends with 127 and names the nearest ones.', source: 'issue 2'},
  'cli.json': {promise: 'With --json standard output is one JSON document.', source: 'architecture'},
  'cli.slash': {promise: 'Commands that make sense in a conversation are marked for use there.', source: 'issue 2'},
  'cli.stock-same': {promise: 'The fast start and oclif on its own print the same bytes.', source: 'issue 2'},
  'cli.closed-pipe': {promise: 'A reader that goes away ends a command quietly.', source: 'architecture'},
  'cli.no-colour': {promise: 'Escape codes appear only at a terminal that wants them.', source: 'architecture'},
  'cli.interrupt': {promise: 'Ctrl+C ends a running call with 130.', source: 'architecture'},
  'cli.unsettled': {
    promise: 'A command that never finishes is reported, and does not count as a success.',
    source: 'architecture',
  },
  'cli.read-only': {promise: 'A cache that cannot be written costs time only.', source: 'issue 2'},

  'settings.layers': {
    promise: 'Settings are layered: defaults < system defaults < user < workspace < system < environment < flags.',
    source: 'compat: settings',
  },
  'settings.merge': {
    promise: 'Objects and lists of several layers merge as their schema says.',
    source: 'compat: settings',
  },
  'settings.variables': {promise: '$VAR in a value is expanded.', source: 'compat: settings'},
  'settings.comments': {promise: 'Comments, order and layout survive a change.', source: 'issue 2'},
  'settings.atomic': {promise: 'Several processes that change settings at once lose none of it.', source: 'issue 2'},
  'settings.schema': {promise: 'Every key has a type, a description and a fitting default.', source: 'issue 2'},
  'kernel.service-methods': {
    promise: 'A manifest names the methods of a service that travel; check says which service would not.',
    source: 'issue 17',
  },

  'settings.declared': {
    promise:
      'A plugin declares its settings in src/settings; they are listed, explained, set and checked as any other.',
    source: 'issue 17',
  },
  'settings.typed': {
    promise: 'The value of a declared setting has the declared type; what does not fit is left out.',
    source: 'issue 17',
  },
  'settings.secret': {promise: 'The value of a secret setting is never printed.', source: 'issue 17'},
  'settings.nearest': {
    promise: 'An unknown key that is close to a known one is named once, with the known one.',
    source: 'issue 17',
  },
  'settings.built': {
    promise: 'Faults of declared settings are found when the plugin is built or checked.',
    source: 'issue 17',
  },
  'settings.explain': {promise: 'explain shows the value of a key in each layer and which one won.', source: 'issue 2'},
  'settings.broken': {
    promise: 'A broken file ends with 52, its line and column; nothing is overwritten.',
    source: 'issue 2',
  },

  'workspace.roots': {
    promise: 'Roots are the current directory, then settings, then the flag, each real path once.',
    source: 'compat: workspace',
  },
  'workspace.real-paths': {
    promise: 'Every path is resolved with symlinks followed and must lie inside a root.',
    source: 'issue 2',
  },
  'workspace.outside-refused': {
    promise: 'What a call touches outside every root is denied, naming the path and the roots.',
    source: 'issue 2',
  },
  'workspace.no-gap': {promise: 'What is opened is what was checked.', source: 'issue 2'},
  'workspace.ignore': {promise: 'Ignore rules agree with git, and .geminiignore is stronger.', source: 'issue 2'},
  'workspace.flag-missing': {
    promise: 'A missing directory given by flag is an error naming it, exit 42.',
    source: 'issue 2',
  },
  'workspace.settings-missing': {
    promise: 'A missing directory from settings is skipped with a warning.',
    source: 'issue 2',
  },
  'workspace.confined': {
    promise: 'Under a restrictive sandbox profile no directory is added to a session.',
    source: 'compat: workspace',
  },
  'workspace.reading': {
    promise: 'A folder can be opened for reading only: it is no root, and nothing in it can be written.',
    source: 'issue 20',
  },
  'workspace.announced': {promise: 'When the workspace changes, its listeners are notified.', source: 'issue 2'},
  'directories.add': {
    promise: 'gemini directory add keeps directories in the settings of the project or the user, all or none.',
    source: 'issue 2',
  },
  'directories.duplicates': {
    promise: 'A directory that is there already by its real path is said, not added.',
    source: 'issue 2',
  },
  'directories.show': {promise: 'gemini directory show lists every root and what put it there.', source: 'issue 2'},
  'directories.explain': {
    promise: 'gemini directory explain tells the real path, the root or why none, and the ignoring line.',
    source: 'issue 2',
  },

  'files.bytes-kept': {
    promise: 'An edit changes no byte outside its span: encoding, BOM, line ends, final newline.',
    source: 'issue 2',
  },
  'files.mode-kept': {promise: 'File mode and symlinks survive an edit.', source: 'issue 2'},
  'files.encoding': {
    promise: 'Text is read by its BOM, else as UTF-8, else in a declared legacy encoding.',
    source: 'issue 2',
  },
  'files.atomic': {promise: 'A write that fails leaves the file as it was and no temporary file.', source: 'issue 2'},
  'files.changed-refused': {
    promise: 'A file that changed since the session read it is not overwritten.',
    source: 'issue 2',
  },
  'files.large': {promise: 'Large files are read by range and limits are stated, not silent.', source: 'issue 2'},
  'files.strategies': {
    promise: 'replace tries exact, flexible, regex, fuzzy in this order and says where it applied.',
    source: 'compat: tools',
  },
  'files.preview': {promise: 'Before an edit a person sees it as a unified diff.', source: 'issue 2'},
  'files.nothing-left': {promise: 'Nothing of a plugin outlives its session.', source: 'house style'},

  'tools.list': {promise: 'gemini tools list names every tool with its effect and plugin.', source: 'issue 2'},
  'tools.describe': {promise: 'gemini tools describe tells what a tool takes.', source: 'issue 2'},
  'tools.offered': {promise: 'Plugins can keep tools from the model and cannot add any.', source: 'issue 3'},
  'tools.call': {
    promise: 'gemini tools call takes the one path of every call; the exit code tells success.',
    source: 'issue 2',
  },
  'tools.call-arguments': {
    promise: 'A call takes JSON, a file, standard input or key=value, and says what it cannot read.',
    source: 'issue 2',
  },
  'tools.asks-at-terminal': {promise: 'At a terminal a person sees the change and decides.', source: 'issue 2'},
  'tour.runs-through': {
    promise: 'The guided run really runs every step, without a terminal too, and leaves nothing behind.',
    source: 'issue 2',
  },
  'tour.fails': {promise: 'A guided run whose command fails says which and why.', source: 'issue 2'},
  'plugins.build': {promise: 'A folder that cannot be built as a plugin says what it lacks.', source: 'issue 2'},
  'plugins.audited': {
    promise: 'Audit shows what a plugin used and was refused beside what it declares, and each capability in words.',
    source: 'issue 22',
  },
  'plugins.independent': {
    promise: 'Each plugin works packed and installed with only the kernel and what it requires.',
    source: 'issue 2',
  },

  'guards.attested': {
    promise: 'Each guard gets a call that it must refuse; gemini doctor and the start report whether it does.',
    source: 'issue 3',
  },
  'guards.required': {
    promise: 'With --require-guards a session begins only when every guard is proven.',
    source: 'issue 3',
  },
  'why.command': {
    promise: 'gemini why tells of a past call who judged it, what each said, what was changed and how long it took.',
    source: 'issue 3',
  },
  'why.kept': {promise: 'What became of calls is kept for their owner only.', source: 'issue 3'},
  'why.bounded': {promise: 'What is kept of calls does not grow without end.', source: 'issue 3'},
  'why.unwritable': {promise: 'A call continues when its record cannot be written.', source: 'issue 3'},

  'policy.modes': {
    promise:
      'In each approval mode, with and without a person, the rules of the product let pass, ask and refuse what ' +
      'the table says.',
    source: 'compat: policy',
  },
  'policy.mode': {
    promise:
      'The approval mode comes from flags and settings; a project can only ask for a stricter one, and only a ' +
      'flag for yolo.',
    source: 'issue 3',
  },
  'policy.yolo': {promise: 'Where settings rule out yolo nothing brings it back.', source: 'compat: policy'},
  'policy.order': {
    promise: 'Rules are asked by tier, then priority; of equals a denial comes first.',
    source: 'issue 3',
  },
  'policy.tighten-only': {
    promise: 'A workspace or an extension can make calls stricter, never more permitted.',
    source: 'issue 3',
  },
  'policy.told': {
    promise: 'What a project writes to loosen something has no effect, and is reported with its place.',
    source: 'issue 3',
  },
  'policy.conditions': {
    promise: 'A rule speaks about a call only when each of its conditions holds.',
    source: 'compat: policy',
  },
  'policy.wildcards': {promise: 'Wildcards in names of tools match as a reader expects.', source: 'issue 3'},
  'policy.paths': {
    promise: 'Globs of paths match what a tool says it touches; to be let pass, every path must be.',
    source: 'issue 3',
  },
  'policy.stable-json': {
    promise: 'Patterns of arguments see the same stable JSON as in Gemini CLI.',
    source: 'compat: policy',
  },
  'policy.sensitive': {
    promise:
      'Secrets, .git, dependencies and build files stay closed or asked in every mode, until a rule of the user ' +
      'that names a path lifts it.',
    source: 'issue 3',
  },
  'policy.no-rule': {
    promise: 'A call that no rule speaks about is asked, and denied without a person.',
    source: 'compat: policy',
  },
  'policy.offered': {
    promise: 'A tool that is denied whatever its arguments are is not offered to the model.',
    source: 'issue 3',
  },
  'policy.index': {promise: 'The index leaves out no rule that matches.', source: 'issue 3'},
  'policy.shell': {
    promise:
      'Every command that a shell line can run is judged on its own; what cannot be determined needs an approval, ' +
      'or is denied without a person.',
    source: 'issue 3',
  },
  'policy.floor': {
    promise:
      'No line reads, writes or runs what a rule closes without a question, however it hides the name, and ' +
      'whichever rule let its programs run.',
    source: 'issue 15',
  },
  'policy.everyday': {
    promise:
      'Lines of every working day that only look need no question in a trusted folder, nor in the mode yolo those ' +
      'that work.',
    source: 'issue 15',
  },
  'policy.git': {
    promise:
      'Git runs unasked only where the repository that it finds cannot make it run or show more than the line says.',
    source: 'issue 15',
  },
  'policy.corpus': {
    promise: 'No line of the corpus runs a command that the policy does not allow, and each is decided as stated.',
    source: 'issue 3',
  },
  'policy.redirection': {
    promise:
      'A rule that allows a command does not allow its redirections, unless it says so or the mode edits unasked.',
    source: 'compat: policy',
  },
  'policy.cautious': {
    promise: 'A rule of the product allows a command only when nothing about it is unknown.',
    source: 'issue 3',
  },
  'policy.checkers': {promise: 'A safety checker that fails, hangs or is missing denies.', source: 'issue 3'},
  'policy.always': {
    promise: 'What was always allowed matches next time and nothing else does; settings can turn it off.',
    source: 'issue 3',
  },
  'policy.shown': {
    promise:
      'An approval shows the exact rule that each answer keeps, its scope and its file; that rule is what is kept.',
    source: 'issue 17',
  },
  'policy.named-files': {
    promise: '--policy adds to the rules of the user; a file that is named and is not there ends the start.',
    source: 'issue 3',
  },
  'policy.broken-file': {
    promise: 'A rule file with an error ends the start and is named with its place.',
    source: 'issue 3',
  },
  'policy.admin-broken': {
    promise: 'A rule file of the administrator that is broken ends the start with 52.',
    source: 'issue 3',
  },
  'policy.list': {promise: 'gemini policy list shows every rule in the order they are asked.', source: 'issue 3'},
  'policy.check': {
    promise: 'gemini policy check shows every fault of rule files with file, line, column and the nearest name.',
    source: 'issue 3',
  },
  'policy.explain': {
    promise:
      'gemini policy explain shows how a call is judged in each mode, which rule decides and every rule that was ' +
      'looked at.',
    source: 'issue 3',
  },
  'policy.test': {
    promise: 'gemini policy test holds rules against cases and ends with 1 on a difference.',
    source: 'issue 3',
  },
  'policy.prove': {
    promise:
      'gemini policy prove finds a call that new rules allow and old ones did not, and none where they are only ' +
      'stricter.',
    source: 'issue 3',
  },

  'authority.admin-tier': {
    promise:
      'Where an administrator owns anything, what a person names for that tier only makes calls stricter, and says so.',
    source: 'issue 15',
  },
  'authority.administrator': {
    promise: 'No flag, variable, setting or file of a person or a project takes back what an administrator says.',
    source: 'issue 15',
  },
  'authority.bundle': {
    promise:
      'A bundle that a person did not apply, or that was changed since, is not obeyed; one that a person applied ' +
      'loosens nothing that the person decides alone.',
    source: 'issue 15',
  },
  'authority.own-places': {
    promise:
      'What a start reads or obeys is written, replaced or deleted only after a question, in every mode and ' +
      'whatever does it.',
    source: 'issue 15',
  },
  'authority.list': {
    promise:
      "What is asked about as gemini's own is everything that starts and commands really read outside the program " +
      'and the project.',
    source: 'issue 15',
  },
  'authority.own-commands': {
    promise: 'Our own program, run by the agent, is asked about in every mode unless it only looks.',
    source: 'issue 15',
  },
  'authority.directories': {
    promise:
      "What no person named (a project's settings, the record of a session, an editor) joins the workspace only " +
      'inside what is trusted or after a yes; without a person it is left out and named.',
    source: 'issue 15',
  },
  'authority.restore': {
    promise:
      'Bringing files back follows no link, leaves the workspace alone outside its roots, lends no rights, and ' +
      'passes the rules that name paths; a partial one ends with 1.',
    source: 'issue 15',
  },
  'authority.running-files': {
    promise:
      'In auto_edit, files that tools run or that instruct agents are asked about, in any spelling; everyday ' +
      'files are not.',
    source: 'issue 15',
  },
  'authority.sources': {
    promise: 'Every place that a rule, a setting or code comes from loosens what its writer decides, and nothing else.',
    source: 'issue 15',
  },
  'authority.broken': {
    promise:
      'A source of rules that cannot be read whole ends the start with 52 and names file, line and column; what ' +
      'repairs it still works.',
    source: 'issue 15',
  },
  'trust.decided': {
    promise: 'Whether a folder is trusted is decided by variables, settings and the file, in this order.',
    source: 'compat: settings',
  },
  'trust.rules': {
    promise: 'The longest path that holds a folder decides, links followed; of equals the one that refuses.',
    source: 'compat: settings',
  },
  'trust.not-by-project': {promise: 'Nothing that a folder brings along makes it trusted.', source: 'issue 3'},
  'trust.table': {promise: 'What an untrusted folder may not contribute is one table.', source: 'issue 3'},
  'trust.settings': {
    promise: 'The settings of an untrusted folder are as if they were not there.',
    source: 'compat: settings',
  },
  'trust.headless': {
    promise:
      'Without a person no session begins in an untrusted folder: exit code 55, as JSON too; --skip-trust trusts ' +
      'it for once.',
    source: 'issue 3',
  },
  'trust.file': {
    promise: 'trustedFolders.json is written for its owner only, comments kept; what is wrong in it is named.',
    source: 'compat: settings',
  },
  'trust.commands': {
    promise: 'gemini trust list, add, remove and explain speak of the current folder or of one that is named.',
    source: 'issue 3',
  },

  'secrets.withheld': {
    promise: 'Secrets of the environment do not reach a command unless settings let them through.',
    source: 'issue 3',
  },
  'secrets.redacted': {
    promise: 'A secret of the environment that is printed all the same is redacted from what the model sees.',
    source: 'issue 3',
  },

  'agent.turn': {
    promise:
      'A prompt is answered round after round: calls run, each result goes back under its id, until the model stops.',
    source: 'issue 4',
  },
  'agent.order': {
    promise: 'Calls that only look run side by side; a call that changes something runs alone, in its place.',
    source: 'issue 4',
  },
  'agent.failures': {
    promise: 'Unknown tools, bad arguments, refusals and failures go back to the model with what is wrong.',
    source: 'issue 4',
  },
  'agent.limits': {
    promise: 'Rounds of a prompt and turns of a session have limits, and reaching one is said.',
    source: 'issue 4',
  },
  'agent.loops': {
    promise: 'A model that repeats itself in a loop gets a warning, and is stopped the second time.',
    source: 'compat: sessions',
  },
  'agent.abort': {promise: 'You can cancel at any point, and the conversation can continue.', source: 'issue 4'},
  'agent.rewind': {promise: 'A prompt can be taken back with all that came after.', source: 'issue 4'},
  'agent.faults': {
    promise: 'Each fault of a model or of the way to it has a stated outcome; what was shown is kept.',
    source: 'issue 4',
  },
  'agent.retry': {
    promise: 'Attempts are spaced as the server says, else longer and longer, and they end.',
    source: 'compat: sessions',
  },
  'agent.fallback': {
    promise: 'When a model cannot answer, the next of its chain does, and it is said.',
    source: 'issue 4',
  },
  'agent.mentions': {
    promise:
      'Files that a prompt names by @path are attached; a word that is no path stays a word, and what must not be ' +
      'read is not.',
    source: 'compat: tools',
  },
  'agent.compress': {
    promise:
      'At the threshold the older part becomes a summary, unless that is longer; what would be too long is not sent.',
    source: 'issue 4',
  },
  'agent.moments': {
    promise:
      'Plugins may refuse or enrich prompts, change or answer requests, change answers, ask for another round, ' +
      'and bring a history.',
    source: 'issue 4',
  },
  'agent.resume': {
    promise: 'A history can continue from any state it was left in: every call is answered, roles alternate.',
    source: 'issue 4',
  },
  'agent.model-configs': {
    promise: 'Aliases and overrides in modelConfigs decide which model is asked, and how.',
    source: 'compat: settings',
  },
  'model.suite': {
    promise: 'Every provider of models passes one conformance suite; none has a privilege.',
    source: 'issue 4',
  },
  'model.failures': {
    promise: 'What a model or its server does wrong is one of six kinds of failure, and never silence.',
    source: 'issue 4',
  },
  'model.key-unsaid': {promise: 'A key is in no message.', source: 'issue 4'},
  'model.servers': {promise: 'Servers of the OpenAI kind may differ in all that they differ in.', source: 'issue 4'},
  'network.proxies': {
    promise: 'Requests go through the proxies that the variables name, with their exceptions.',
    source: 'issue 4',
  },
  'model.signatures': {promise: 'What a model marks goes back to it with its mark.', source: 'issue 4'},
  'agent.unlimited': {
    promise:
      'Without a limit of turns a prompt takes as many as it needs; a model that repeats itself is stopped with ' +
      'an error.',
    source: 'issue 16',
  },
  'network.certificate': {
    promise: 'A certificate that cannot be relied on ends a request at once, with the next step.',
    source: 'issue 16',
  },
  'headless.outcome': {
    promise: 'Every end of a run has its own outcome, code and exit code, in each format, also after a signal.',
    source: 'issue 16',
  },
  'headless.changed': {
    promise: 'A run lists the files that it changed, what was refused with its arguments, and what it cost.',
    source: 'issue 16',
  },
  'headless.limits': {
    promise: 'Turns, cost and time of a run are limited by flags, and refused calls can fail it.',
    source: 'issue 16',
  },
  'headless.schemas': {
    promise: 'What commands print for programs fits a published schema, and errors have one form everywhere.',
    source: 'issue 16',
  },
  'headless.prompt-file': {
    promise:
      'A file can be a prompt with arguments, or a program of its own, and decides nothing about what a run may do.',
    source: 'issue 16',
  },
  'docs.guides': {promise: 'Each file and each command of the guides does what the page shows.', source: 'issue 20'},
  'docs.pictures': {promise: 'A picture in the documentation shows what the program prints.', source: 'issue 17'},
  'docs.scripts': {promise: 'Each script of docs/scripting.md does what the page says.', source: 'issue 16'},
  'headless.prompt': {
    promise: 'A prompt comes by flag, by words or by standard input, up to 8 MiB.',
    source: 'compat: cli',
  },
  'headless.exit-codes': {
    promise: 'Every way in which a run cannot begin has its sentence and its exit code.',
    source: 'compat: cli',
  },
  'headless.formats': {
    promise: 'text, json and stream-json have the shapes of Gemini CLI, and carry failures too.',
    source: 'issue 4',
  },
  'headless.plain': {
    promise: 'What a model says cannot control the terminal, however it is cut.',
    source: 'compat: cli',
  },
  'headless.refused': {promise: 'Refused calls are listed with their reasons.', source: 'issue 4'},
  'headless.schema': {
    promise: 'With a schema the answer matches it, after one more attempt if need be, or the run fails.',
    source: 'issue 4',
  },
  'headless.slash': {promise: 'A prompt that is a slash command runs it and asks no model.', source: 'issue 4'},
  'headless.signals': {promise: 'A signal, or a reader who leaves, ends a run at once and cleanly.', source: 'issue 4'},
  'replay.exact': {promise: 'A recording plays a run back exactly.', source: 'issue 4'},
  'replay.canned': {promise: 'Files of canned responses are read.', source: 'compat: cli'},
  'replay.errors': {promise: 'A recording that cannot be used is said with its line.', source: 'issue 4'},
  'memory.tiers': {
    promise:
      'Context files of the person, the project and its folders are found, each once, and a project that is not ' +
      'trusted says nothing.',
    source: 'compat: workspace',
  },
  'memory.imports': {
    promise: 'Imports take their place, never from outside the project; a mention in prose stays prose.',
    source: 'compat: workspace',
  },
  'memory.context': {
    promise:
      'Context files reach the model: in the instruction, in the first message, and with the first result from ' +
      'their folder.',
    source: 'compat: workspace',
  },
  'env.read': {promise: '.env files are read as people write them.', source: 'compat: settings'},
  'env.order': {
    promise:
      'The first .env file counts alone, and never more than the environment; an untrusted one sets four harmless ' +
      'names.',
    source: 'compat: settings',
  },
  'env.home': {
    promise: "The person's own .env counts in every folder, unless the project's says which model is asked.",
    source: 'issue 16',
  },
  'env.keys': {promise: "A project's file does not say where a key of the person's goes.", source: 'issue 4'},
  'calls.unhandled': {
    promise:
      'A promise that fails without a handler fails the call that runs, never the program; after a call it is a ' +
      'warning.',
    source: 'issue 16',
  },
  'search.lost-roots': {
    promise: 'A directory of the workspace that is gone, or may not be listed, is named and passed by.',
    source: 'issue 16',
  },
  'directories.portable': {
    promise:
      "A project's settings keep a directory as it was typed where that means the same for everyone; the real " +
      'path is worked out at each start, and a yes holds for it alone.',
    source: 'issue 16',
  },
  'directories.untrusted': {
    promise:
      'What is added to the settings of a folder that is not trusted says that it does not count, and what to do.',
    source: 'issue 16',
  },
  'directories.remove': {
    promise: 'What settings name can be taken out again, and nothing is taken from a session.',
    source: 'issue 16',
  },
  'directories.names': {
    promise: 'Commas, quotes, variables and ~ in names of directories are read as meant.',
    source: 'issue 16',
  },
  'directories.reach': {
    promise: 'Whether tools reach a path is an exit code and a field, and a root that is gone is shown as such.',
    source: 'issue 16',
  },
  'files.many': {
    promise: 'Too many files for one call are refused as soon as there are too many, whatever there are in all.',
    source: 'issue 16',
  },
  'files.known-names': {
    promise: 'A name that is looked for again takes no new walk through all files.',
    source: 'issue 16',
  },
  'files.large-edits': {
    promise: 'replace edits files up to 256 MB by exact text, and says what works where it does not.',
    source: 'issue 16',
  },
  'memory.cut': {promise: 'A context file that is cut is named, to people and in lists.', source: 'issue 16'},
  'tools.scripts': {
    promise: 'A script gets of a call what was read or printed, and the exit code of the command if it asks.',
    source: 'issue 16',
  },
  'ide.must': {
    promise: 'The check of a companion separates what it must do from what it should do; only the former fails.',
    source: 'issue 16',
  },
  'trust.here': {
    promise: 'What is explained of trust in the current folder is what a session would find.',
    source: 'issue 16',
  },
  'home.missing': {promise: 'A user without a home directory gets a sentence.', source: 'issue 16'},
  'files.hints': {
    promise: 'The hint of a failed write is about what failed: room, a right, a read-only file system.',
    source: 'issue 16',
  },
  'env.many': {
    promise: 'Environment variables cost time by their number, at the start and for each command.',
    source: 'issue 16',
  },
  'capabilities.touches': {
    promise: 'A tool of an installed plugin reaches only for what its plugin declares.',
    source: 'issue 6',
  },
  'capabilities.services': {
    promise: 'A service that stands for a capability is given only to a plugin that declares it.',
    source: 'issue 6',
  },
  'capabilities.env': {promise: 'An installed plugin is shown the variables that it declares.', source: 'issue 6'},
  'sources.normalised': {
    promise: 'A rule about sources is held against where an address leads, however it is written.',
    source: 'issue 6',
  },
  'managed.strictest': {promise: 'Rules of several files are joined, and the stricter counts.', source: 'issue 6'},
  'managed.unreliable': {
    promise:
      'With rules that cannot be read or relied on, no installed plugin loads and a warning says so; a headless ' +
      'run ends with 52.',
    source: 'issue 6',
  },
  'managed.load': {
    promise:
      "Every start checks every installed plugin against the administrator's rules, and says why one is refused.",
    source: 'issue 6',
  },
  'managed.place': {promise: "Only the system's administrator decides where the rules are.", source: 'issue 6'},
  'managed.proof': {promise: 'What an administrator names by its content is hashed at every start.', source: 'issue 6'},
  'managed.required': {
    promise: 'When a required plugin is missing, headless runs do not start.',
    source: 'issue 6',
  },
  'frozen.load': {promise: 'With --frozen only what a lock pins by its content loads.', source: 'issue 6'},
  'settings.bundles': {
    promise: 'Bundles in force give defaults below, and settings above, what anybody else sets.',
    source: 'issue 6',
  },
  'policy.bundles': {
    promise: "Rules of a bundle that an administrator applied are the administrator's.",
    source: 'issue 6',
  },
  'install.programs': {
    promise: 'git and npm of the person run, and no program of that name in what was fetched.',
    source: 'issue 20',
  },
  'install.private': {
    promise: "Private registries are asked with the person's own npm configuration and tokens.",
    source: 'issue 6',
  },
  'bundles.work': {promise: 'Every bundle that is shipped starts and works.', source: 'issue 6'},
  'capabilities.consent': {
    promise: 'What a plugin wants beyond what a person agreed to keeps it from loading.',
    source: 'issue 6',
  },
  'bundles.expire': {promise: 'What came with a bundle does not load once the bundle has expired.', source: 'issue 6'},
  'bundles.guards': {promise: "A person's own bundle takes nothing away that judges calls.", source: 'issue 6'},
  'managed.anew': {
    promise: 'Where an administrator decides, nothing counts that a person could have written.',
    source: 'issue 6',
  },
  'managed.bundles': {
    promise:
      "A bundle that a person applied takes nothing of the administrator's away, and counts only when signed " +
      'where that is asked for.',
    source: 'issue 6',
  },
  'lock.project-links': {
    promise: 'The lock of a project chooses among what the person installed, and links nothing.',
    source: 'issue 6',
  },
  'lock.project-shadow': {
    promise: "What the lock of a project cannot have loaded takes nothing of the person's away.",
    source: 'issue 6',
  },
  'tools.replaced': {
    promise:
      'A tool of the product is replaced only by one of the same effect, when a person said yes, and lists say so.',
    source: 'issue 6',
  },
  'plugins.reload': {
    promise: 'Running conversations use the new build of a linked plugin, and nothing of the old one.',
    source: 'issue 6',
  },
  'calls.race': {
    promise: 'Everything that can ask a person is asked at once: the first answer counts, and the others are aborted.',
    source: 'issue 7',
  },
  'calls.text-edited': {
    promise: 'What a person edited where a change was shown is what is written, or nothing is.',
    source: 'issue 7',
  },
  'filters.present': {
    promise: 'A listener that waits for its surroundings is neither asked nor loaded before they are there.',
    source: 'issue 7',
  },
  'trust.doubt': {
    promise: 'A plugin that doubts a folder takes trust away; it cannot give trust.',
    source: 'issue 7',
  },
  'workspace.editor-roots': {
    promise: 'Folders of an editor join the workspace, never one that holds the whole home directory.',
    source: 'issue 7',
  },
  'ide.context': {
    promise: 'The model gets all that is open at first and after a summary, and otherwise what changed.',
    source: 'issue 7',
  },
  'ide.fresh': {promise: 'An update of the editor is known to the next prompt within 100 ms.', source: 'issue 7'},
  'ide.garbage': {promise: 'What an editor sends that is odd hides nothing that is sound.', source: 'issue 7'},
  'ide.nudge': {
    promise: 'gemini does not connect to an editor where that is off, and offers it once.',
    source: 'issue 7',
  },
  'ide.accept': {promise: 'A yes in the editor counts as one in the terminal.', source: 'issue 7'},
  'ide.edited': {
    promise: 'What a person edits in the diff is what gets written, and the model learns of it.',
    source: 'issue 7',
  },
  'ide.reject': {promise: 'A no in the editor counts as one in the terminal.', source: 'issue 7'},
  'ide.terminal-first': {
    promise: 'An answer in the terminal closes the diff in the editor and takes what was edited there.',
    source: 'issue 7',
  },
  'ide.abort': {promise: 'A prompt that is given up closes its diff and writes nothing.', source: 'issue 7'},
  'ide.dies': {
    promise: 'An editor that dies while it shows a change leaves the question to the terminal.',
    source: 'issue 7',
  },
  'ide.unshown': {
    promise: 'An editor that cannot show a change says why, and the terminal decides.',
    source: 'issue 7',
  },
  'ide.reconnect': {
    promise: 'A companion that was lost is found again automatically, wherever it comes back.',
    source: 'issue 7',
  },
  'ide.roots': {promise: 'Folders that the editor has open are folders that tools reach.', source: 'issue 7'},
  'ide.trust': {promise: 'What an editor says of trust can only take it away.', source: 'issue 7'},
  'ide.reasons': {
    promise: 'Each reason why an editor cannot be reached has its own sentence, with the next step.',
    source: 'issue 7',
  },
  'ide.windows': {
    promise: 'Of several editors with this folder the one that opened this terminal is taken.',
    source: 'issue 7',
  },
  'ide.unloaded': {promise: 'Where no editor is around nothing of the plugin is loaded.', source: 'issue 7'},
  'ide.flood': {
    promise: 'A companion that sends or asks without end is left, and nothing else suffers.',
    source: 'issue 7',
  },
  'ide.disconnect': {
    promise: 'Who disconnects stays disconnected, also while a connection is being made.',
    source: 'issue 7',
  },
  'ide.by-hand': {
    promise: 'A companion by hand, after the text of the specification, is worked with like any other.',
    source: 'issue 7',
  },
  'ide.stdio': {promise: 'A companion over standard streams is started, worked with and ended.', source: 'issue 7'},
  'ide.silent': {
    promise: 'gemini does not wait for an editor that does not answer, and says what counts then.',
    source: 'issue 7',
  },
  'ide.neovim': {
    promise: 'Neovim tells what is open and selected, and shows changes that can be edited, taken and refused.',
    source: 'issue 7',
  },
  'ide.neovim-conforms': {promise: 'The companion of Neovim passes the conformance suite.', source: 'issue 7'},
  'ide.neovim-install': {promise: 'One command has every Neovim start its companion.', source: 'issue 7'},
  'ide.journey': {
    promise: 'A change is edited and taken in a real editor while a real terminal asks about it.',
    source: 'issue 7',
  },

  'files.bounded': {
    promise:
      'What decides something is read from regular files only, at most so much of it, and everything else is ' +
      'named at once.',
    source: 'issue 15',
  },
  'files.private': {promise: 'Folders of ours are 0700 and files 0600, whatever the umask.', source: 'issue 15'},
  'files.writers': {
    promise:
      'What someone other than its owner and root may write is recognised; a group with a single user is accepted.',
    source: 'issue 15',
  },
  'files.root-home': {promise: 'Root does not use the home folder of another user.', source: 'issue 15'},
  'sessions.linear': {promise: 'Reading a session takes time by its length, whatever is in it.', source: 'issue 15'},
  'sessions.reference': {
    promise: 'Sessions of every release of the other program are read whole.',
    source: 'compat: sessions',
  },
  'sessions.others-work': {promise: 'One session file that cannot be read takes no other with it.', source: 'issue 15'},
  'files.full-disk': {
    promise: 'A full disk or too little memory tears no file, leaves nothing behind, and is said.',
    source: 'issue 15',
  },
  'memory.bounded': {
    promise: 'Context files take bounded time and memory, whatever is in them or in their place.',
    source: 'issue 15',
  },
  'files.lock': {
    promise: 'A lock counts while its process runs, and a left one is taken over by one process.',
    source: 'issue 15',
  },
  'files.swept': {promise: 'What killed processes left is removed by those that come after them.', source: 'issue 15'},
  'sessions.wait': {promise: 'A busy session can be waited for, and its error says how.', source: 'issue 16'},
  'sessions.tidy': {
    promise: 'Deleting old sessions takes bounded time per run, after the first answer, at most once an hour.',
    source: 'issue 16',
  },
  'checkpoints.commands': {
    promise: 'What a command changes can be brought back, and nothing that it did not change.',
    source: 'issue 16',
  },
  'checkpoints.watch': {
    promise: 'A watch that loses something is replaced by a look at everything.',
    source: 'issue 16',
  },
  'checkpoints.reading': {
    promise: 'A command that is known to look only costs nothing for checkpoints.',
    source: 'issue 16',
  },
  'checkpoints.setting': {promise: 'One setting says how commands are followed.', source: 'issue 16'},
  'sessions.resume-linear': {
    promise: 'Resuming a session takes time in proportion to its messages.',
    source: 'issue 16',
  },
  'services.reserved': {
    promise: 'A service that acts for a person is given to plugins of the product only.',
    source: 'issue 17',
  },
  'steering.begin': {
    promise: 'A conversation begins a new session with its mode, model and directories, and nothing that was said.',
    source: 'issue 17',
  },
  'steering.resume': {
    promise: 'A running conversation continues with a recorded session, in its file, once at a time.',
    source: 'issue 17',
  },
  'steering.queue': {
    promise: 'What waits to be dealt with can be taken back, and what runs stopped.',
    source: 'issue 17',
  },
  'steering.shell': {
    promise: 'A person runs a line of the shell by the path of every call, and the model sees what came of it.',
    source: 'issue 17',
  },
  'steering.mode': {promise: 'A running conversation changes its mode, as far as policy lets it.', source: 'issue 17'},
  'steering.follow': {promise: 'Every front end of a conversation hears the same events.', source: 'issue 17'},
  'console.steering': {promise: 'The console steers a conversation by keys and commands alone.', source: 'issue 17'},
  'services.travel': {
    promise: 'Each service of the product that can travel names the methods that do.',
    source: 'issue 17',
  },
  'extensions.broken': {
    promise: 'An extension that cannot be used is named with the reason, and the others are used.',
    source: 'issue 20',
  },
  'extensions.changed': {
    promise: 'An installed extension whose files have changed is not used.',
    source: 'issue 20',
  },
  'extensions.commands': {
    promise: 'People list, show, check, make, link, enable and configure extensions by commands.',
    source: 'issue 20',
  },
  'extensions.context': {
    promise: 'Context files of extensions reach the model, and nothing outside of an extension does.',
    source: 'issue 20',
  },
  'extensions.enabled': {
    promise: 'An extension is used where a person or a flag says so.',
    source: 'issue 20',
  },
  'extensions.install': {
    promise: 'An extension is installed with consent to everything that it brings; what fails changes nothing.',
    source: 'issue 20',
  },
  'extensions.piped': {
    promise: 'A script agrees to an extension with y on standard input; its end, and all else, is no.',
    source: 'issue 20',
  },
  'extensions.rollback': {
    promise: 'The version before an update can be restored, and what the lock names can be installed exactly.',
    source: 'issue 20',
  },
  'extensions.rules': {
    promise: 'Rules of extensions, and about extensions, only make things stricter.',
    source: 'issue 20',
  },
  'extensions.servers': {
    promise: 'Servers of extensions are servers like those that a person configures, but they trust nothing.',
    source: 'issue 20',
  },
  'extensions.settings': {
    promise: 'Values that an extension asks for are kept for the person alone.',
    source: 'issue 20',
  },
  'extensions.keychain': {
    promise: 'Secrets of an extension that Gemini CLI keeps are used, or named with the command that sets them.',
    source: 'issue 20',
  },
  'extensions.built': {
    promise: 'Where an extension of npm was built is proven where the registry has an attestation, and locked.',
    source: 'issue 20',
  },
  'extensions.shared': {
    promise: 'Extensions that Gemini CLI installed or linked are used where they are.',
    source: 'issue 20',
  },
  'extensions.frozen': {
    promise: 'With --frozen only extensions that are pinned by content are used, and none is installed.',
    source: 'issue 20',
  },
  'extensions.updates': {
    promise: 'Automatic updates install only what brings nothing new, at most once a day, and delay nothing.',
    source: 'issue 20',
  },
  'extensions.sources': {
    promise: 'An extension comes from an archive or npm too, pinned, within limits, and nothing of it runs.',
    source: 'issue 20',
  },
  'extensions.themes': {
    promise: 'Themes of extensions can be chosen as `name (extension)`; a broken one is named and costs no other.',
    source: 'issue 20',
  },
  'start.compiled': {
    promise: 'A prompt compiles no schema of the product.',
    source: 'issue 20',
  },
  'extensions.unsafe': {
    promise: 'An extension that others can write is not used.',
    source: 'issue 20',
  },
  'mcp.call': {
    promise: 'A tool of an MCP server is called by the one path, with its server, and its text is marked as foreign.',
    source: 'issue 19',
  },
  'mcp.results': {
    promise:
      'Every kind of result of an MCP server reaches the model in the form that loses least, checked and bounded.',
    source: 'issue 19',
  },
  'mcp.progress': {
    promise: 'Progress of an MCP server extends its time; a limit and a cancellation reach the server.',
    source: 'issue 19',
  },
  'mcp.environment': {
    promise: 'An MCP server gets a fixed list of variables and its own, and no keys.',
    source: 'issue 19',
  },
  'mcp.roots': {
    promise: 'An MCP server learns the directories of the workspace.',
    source: 'issue 19',
  },
  'mcp.elicitation': {
    promise: 'An MCP server asks the person with a form.',
    source: 'issue 19',
  },
  'mcp.robust': {
    promise: 'An MCP server that breaks the protocol costs as little as possible.',
    source: 'issue 19',
  },
  'mcp.names': {
    promise: 'Tools of MCP servers have the names that Gemini CLI gives them, each once.',
    source: 'issue 19',
  },
  'mcp.restart': {
    promise: 'An MCP server that ended is named, and started again.',
    source: 'issue 19',
  },
  'mcp.failed': {
    promise: 'An MCP server that cannot be used is named with its reason, and the others work.',
    source: 'issue 19',
  },
  'mcp.memory': {
    promise: 'What an MCP server offered is remembered, so that nothing starts before it is needed.',
    source: 'issue 19',
  },
  'mcp.stale': {
    promise: 'A remembered list that no longer holds is corrected before a call runs.',
    source: 'issue 19',
  },
  'mcp.changes': {
    promise: 'An MCP server that lists other tools is listed again.',
    source: 'issue 19',
  },
  'mcp.filter': {
    promise: 'Settings say which tools of an MCP server are offered.',
    source: 'issue 19',
  },
  'mcp.select': {
    promise: 'Settings, flags and the administrator say which MCP servers are used.',
    source: 'issue 19',
  },
  'mcp.admin': {
    promise: 'An administrator forbids, limits and requires MCP servers, and nothing outranks that.',
    source: 'issue 19',
  },
  'mcp.enablement': {
    promise: 'A person disables and enables MCP servers, permanently or for a session.',
    source: 'issue 19',
  },
  'mcp.invalid': {
    promise: 'An entry that describes no MCP server is named with its reason.',
    source: 'issue 19',
  },
  'mcp.remote': {
    promise: 'MCP servers are reached by HTTP and by SSE, and both causes are named when both fail.',
    source: 'issue 19',
  },
  'mcp.life': {
    promise: 'The processes of an MCP server end with the program that started it.',
    source: 'issue 19',
  },
  'mcp.add': {
    promise: 'MCP servers are added and removed by commands that take the words of Gemini CLI.',
    source: 'issue 19',
  },
  'mcp.login': {
    promise:
      'A person logs in to an MCP server with a browser, and the tokens are kept encrypted, for that person only.',
    source: 'issue 19',
  },
  'mcp.login-needed': {
    promise: 'An MCP server that wants a login is named with the command to run; nothing opens and nothing waits.',
    source: 'issue 19',
  },
  'mcp.login-offer': {
    promise: 'In a conversation, a login that a server asks for is offered, and the call continues after it.',
    source: 'issue 19',
  },
  'mcp.login-clients': {
    promise: 'Clients that were registered before are used, with each way to prove their secret.',
    source: 'issue 19',
  },
  'mcp.login-issuer': {
    promise: 'The answer to a login is checked against the server that was asked.',
    source: 'issue 19',
  },
  'mcp.login-paste': {
    promise: 'A login works with a browser on another machine, and fails at once where there is none.',
    source: 'issue 19',
  },
  'mcp.login-guard': {
    promise: 'Addresses that a server names for a login are https, and in no private network.',
    source: 'issue 19',
  },
  'mcp.login-machine': {
    promise: 'A program with a permission of its own needs no person.',
    source: 'issue 19',
  },
  'mcp.login-reference': {
    promise: 'Tokens that Gemini CLI kept are used.',
    source: 'issue 19',
  },
  'mcp.login-broken': {
    promise: 'Credentials that cannot be read are named, and kept.',
    source: 'issue 19',
  },
  'mcp.keychain': {
    promise: 'Credentials are encrypted; the key is in the keychain of the system where one works.',
    source: 'issue 19',
  },
  'mcp.refresh': {
    promise: 'Tokens are renewed inside a session, once; a renewal that fails costs no login.',
    source: 'issue 19',
  },
  'mcp.step-up': {
    promise: 'A call that needs more permissions names them, and the next login asks for them.',
    source: 'issue 19',
  },
  'mcp.prompts': {
    promise: 'Prompts of MCP servers are commands, with all their messages, arguments and completion.',
    source: 'issue 19',
  },
  'mcp.resources': {
    promise: 'Resources of MCP servers are listed and read by tools, commands and mentions, marked as foreign.',
    source: 'issue 19',
  },
  'mcp.instructions': {
    promise: 'What an MCP server says about itself is context in trusted folders, and never part of the instruction.',
    source: 'issue 19',
  },
  'mcp.import': {
    promise:
      'MCP servers of Claude Code, Cursor, VS Code and Codex are taken over, without a secret and without a loss.',
    source: 'issue 19',
  },
  'mcp.untrusted': {
    promise: 'MCP servers of a project that is not trusted are named with the reason, and not started.',
    source: 'issue 19',
  },
  'mcp.find': {
    promise: 'Where servers have many tools, the model is given a search instead, and the tools that it finds.',
    source: 'issue 19',
  },
  'mcp.pin': {
    promise: 'A server whose files do not have the digests that its configuration names is not started.',
    source: 'issue 19',
  },
  'mcp.sampling': {
    promise: 'A server asks the model only where the person has allowed it, up to a budget that is shown.',
    source: 'issue 19',
  },
  'mcp.logout': {
    promise: 'A logout removes what is kept for a server.',
    source: 'issue 19',
  },
  'mcp.commands': {
    promise: 'MCP servers are listed, inspected and tested by commands.',
    source: 'issue 19',
  },
  'mcp.steps': {
    promise: 'A test of an MCP server names the step that fails, and what to do.',
    source: 'issue 19',
  },
  'mcp.real': {
    promise: 'Published MCP servers work.',
    source: 'issue 19',
  },
  'mcp.long-results': {
    promise: 'A result of an MCP server that is too long for the model is in a file that the model reads in parts.',
    source: 'issue 19',
  },
  'acp.initialize': {
    promise: 'initialize is answered with version 1, whatever the editor offers, and says what the agent can do.',
    source: 'issue 25',
  },
  'acp.kit': {
    promise: 'Over ACP, the agent does what the official kit lists and what the pages of the protocol demand.',
    source: 'issue 25',
  },
  'acp.wire': {
    promise: 'Messages over ACP that are broken, cut, joined or unknown get their error, and later ones are answered.',
    source: 'issue 25',
  },
  'acp.stdout': {
    promise: 'With --acp, standard output is the protocol alone, and the program ends with the editor.',
    source: 'issue 25',
  },
  'acp.start': {
    promise: '--acp, --experimental-acp and acp start the same, with the flags of gemini.',
    source: 'issue 25',
  },
  'acp.auth': {
    promise: 'Without a key no session of an editor begins; a key that the editor sends stays in memory.',
    source: 'issue 25',
  },
  'acp.prompt': {
    promise: 'A prompt over ACP streams text and thoughts, and ends with a reason.',
    source: 'issue 25',
  },
  'acp.blocks': {
    promise: 'Texts, links, resources, pictures and recordings of a prompt over ACP reach the model.',
    source: 'issue 25',
  },
  'acp.cancel': {
    promise: 'Cancelling over ACP ends the prompt as cancelled, with its open question.',
    source: 'issue 25',
  },
  'acp.second': {
    promise: 'A second prompt over ACP waits for the first.',
    source: 'issue 25',
  },
  'acp.stop': {
    promise: 'The end of a prompt over ACP is named: limits, refusals, cut answers, and errors with their code.',
    source: 'issue 25',
  },
  'acp.calls': {
    promise: 'A call is announced over ACP before the question about it, and shown with input, paths, output and diff.',
    source: 'issue 25',
  },
  'acp.terminals': {
    promise: 'Where an editor shows terminals, a command has one, live and in colour; no output can command it.',
    source: 'issue 25',
  },
  'acp.ask': {
    promise: 'A permission over ACP offers each answer with what it keeps; anything else is a refusal.',
    source: 'issue 25',
  },
  'acp.forms': {
    promise: 'Questions of the model reach the person at the editor.',
    source: 'issue 25',
  },
  'acp.modes': {
    promise: 'An editor shows and sets approval modes, which settings and administrators limit.',
    source: 'issue 25',
  },
  'acp.options': {
    promise: 'An editor chooses the model of a session.',
    source: 'issue 25',
  },
  'acp.commands': {
    promise: 'An editor lists and runs slash commands, those of files and of plugins.',
    source: 'issue 25',
  },
  'acp.plan': {
    promise: 'The steps of the model are the plan of the editor.',
    source: 'issue 25',
  },
  'acp.usage': {
    promise: 'An editor is sent tokens and costs.',
    source: 'issue 25',
  },
  'acp.title': {
    promise: 'An editor is sent the title of a session.',
    source: 'issue 25',
  },
  'acp.notices': {
    promise: 'Notices reach the person at the editor.',
    source: 'issue 25',
  },
  'acp.sessions': {
    promise: 'session/new refuses folders and servers that cannot be used, with a sentence.',
    source: 'issue 25',
  },
  'acp.folders': {
    promise: 'A session over ACP works in its own folders, and in no others.',
    source: 'issue 25',
  },
  'acp.many': {
    promise: 'Sessions of an editor run at once, in several folders, without seeing each other.',
    source: 'issue 25',
  },
  'acp.load': {
    promise: 'session/load shows a recorded conversation and continues it; session/resume continues it.',
    source: 'issue 25',
  },
  'acp.kept': {
    promise: 'Loading a session over ACP never loses any of it.',
    source: 'issue 25',
  },
  'acp.list': {
    promise: 'session/list names the recorded sessions of a folder, in pages.',
    source: 'issue 25',
  },
  'acp.close': {
    promise: 'session/close ends a session and what runs in it.',
    source: 'issue 25',
  },
  'acp.delete': {
    promise: 'session/delete removes what is recorded of a session.',
    source: 'issue 25',
  },
  'acp.servers': {
    promise: 'MCP servers of an editor count in trusted folders, below what people and administrators configure.',
    source: 'issue 25',
  },
  'acp.trust': {
    promise: 'A folder without a level of trust is asked about at the editor, before a session begins in it.',
    source: 'issue 25',
  },
  'acp.gone': {
    promise: 'An editor that dies takes its sessions and their programs along.',
    source: 'issue 25',
  },
  'acp.buffers': {
    promise: 'What is open and not saved in an editor is what the model reads and edits.',
    source: 'issue 25',
  },
  'acp.hostile': {
    promise:
      'Answers that were not offered, floods and endless lines of an editor loosen nothing and end in a sentence.',
    source: 'issue 25',
  },
  'serve.tools': {
    promise: 'gemini mcp serve gives MCP clients the tools of this program, with annotations and output schemas.',
    source: 'issue 19',
  },
  'serve.policy': {
    promise: 'The policy judges every call of an MCP client, and no client can loosen it.',
    source: 'issue 19',
  },
  'serve.ask': {
    promise: 'Where a rule asks, the person at an MCP client is asked; without elicitation the call is refused.',
    source: 'issue 19',
  },
  'serve.roots': {
    promise: 'The roots of an MCP client are the workspace of its session.',
    source: 'issue 19',
  },
  'serve.progress': {
    promise: 'An MCP client sees the progress of a call and can cancel it.',
    source: 'issue 19',
  },
  'serve.files': {
    promise: 'Files of the workspace are MCP resources, read by the path of every call.',
    source: 'issue 19',
  },
  'serve.stdio': {
    promise: 'gemini mcp serve writes only the protocol to standard output, and ends with its client or a signal.',
    source: 'issue 19',
  },
  'serve.http': {
    promise: 'Over HTTP only clients with the token get in, from this machine unless the person allows more.',
    source: 'issue 19',
  },
  'serve.alone': {
    promise: 'An MCP client sees only its own session.',
    source: 'issue 19',
  },
  'serve.agent': {
    promise: 'gemini mcp serve --face agent gives the agent as agent_start and agent_continue, with threads by id.',
    source: 'issue 19',
  },
  'serve.config': {
    promise: 'gemini mcp serve --print-config prints what each known MCP client needs to start it.',
    source: 'issue 19',
  },
  'serve.sources': {
    promise: 'Plugins serve prompts and resources to MCP clients, and their notices and forms reach the client.',
    source: 'issue 19',
  },
  'serve.tasks': {
    promise: 'A client that knows tasks of MCP does not wait for a long call, and fetches its result later.',
    source: 'issue 19',
  },
  'serve.client': {
    promise: 'Tools and prompts of plugins use what an MCP client declares, in the words of the protocol.',
    source: 'issue 19',
  },
  'serve.resume': {
    promise: 'A client over HTTP whose stream breaks off takes it up again and gets what it missed.',
    source: 'issue 19',
  },
  'serve.subscriptions': {
    promise: 'An MCP client hears when a resource that it follows changes, and follows only what it may read.',
    source: 'issue 19',
  },
  'serve.tls': {
    promise: 'An MCP client reaches the server over TLS; unfit files, and a key that others can read, are refused.',
    source: 'issue 19',
  },
  'serve.lists': {
    promise: 'An MCP client hears when there are other tools, prompts or resources.',
    source: 'issue 19',
  },
  'serve.stateless': {
    promise: 'Clients of the stateless revision of MCP are served; a question pauses the call until the answer comes.',
    source: 'issue 19',
  },
  'commands.parts': {
    promise: 'A prompt of a custom command is split once into text, arguments, files and shell commands.',
    source: 'issue 20',
  },
  'commands.broken': {
    promise: 'A broken command file is named with line and column, and the others work.',
    source: 'issue 20',
  },
  'commands.quoted': {
    promise: 'No argument of a custom command ever becomes a shell command.',
    source: 'issue 20',
  },
  'commands.powershell': {
    promise: 'Arguments are quoted for PowerShell where that is the shell.',
    source: 'issue 20',
  },
  'commands.names': {
    promise: 'Custom commands have the names that Gemini CLI gives them.',
    source: 'issue 20',
  },
  'commands.files': {
    promise: 'TOML files of project, person and extensions are slash commands.',
    source: 'issue 20',
  },
  'commands.bounds': {
    promise: 'Number, size and kind of command files are bounded; 1,000 of them list within 10 ms.',
    source: 'issue 20',
  },
  'commands.reload': {
    promise: 'Changed, new and removed command files are noticed without a watcher.',
    source: 'issue 20',
  },
  'commands.trust': {
    promise: 'Commands of a project count only where its folder is trusted.',
    source: 'issue 20',
  },
  'commands.arguments': {
    promise: 'Arguments fill their places in a prompt, or the whole line follows it.',
    source: 'issue 20',
  },
  'commands.inline': {
    promise: 'Files and folders in a custom command are read by the path of every call.',
    source: 'issue 20',
  },
  'commands.unread': {
    promise: 'A file of a custom command that is not read is named, and the prompt continues.',
    source: 'issue 20',
  },
  'commands.shell': {
    promise: 'Shell commands of a custom command are calls of run_shell_command; their output is text.',
    source: 'issue 20',
  },
  'commands.judged': {
    promise: 'Shell commands of a custom command are judged, and refused where no one can approve them.',
    source: 'issue 20',
  },
  'commands.clashes': {
    promise: 'Project before person before extension has a name; the others are reachable under a prefix.',
    source: 'issue 20',
  },
  'commands.served': {
    promise: 'Custom commands are prompts of MCP clients.',
    source: 'issue 20',
  },
  'commands.cli': {
    promise: 'gemini commands lists, shows, checks, writes and imports custom commands, also as JSON.',
    source: 'issue 20',
  },
  'commands.guide': {
    promise: 'Every block of the guide to custom commands works as it is shown.',
    source: 'issue 20',
  },
  'commands.headless': {
    promise: 'Custom commands work headless; a refused shell command ends the run with its exit code.',
    source: 'issue 20',
  },
  'release.archives': {
    promise: 'A release is checked before it is published: each archive is complete, and its package installs alone.',
    source: 'issue 17',
  },
  'skills.creator': {
    promise:
      'The built-in skill has scripts that create, check and pack a skill, and is in the package of the product.',
    source: 'issue 20',
  },
  'skills.find': {
    promise: 'A SKILL.md is found in a folder of skills or one level below, whatever its line ends and first lines.',
    source: 'issue 20',
  },
  'skills.broken': {
    promise: 'What looks like a skill and does not count is named with the reason.',
    source: 'issue 20',
  },
  'skills.head': {
    promise: 'The head of a skill is read as people write it, with the keys of the open format.',
    source: 'issue 20',
  },
  'skills.precedence': {
    promise: 'Of two skills with the same name the stronger one counts, and a notice says so once.',
    source: 'issue 20',
  },
  'skills.trust': {
    promise: "A project's skills count only where its folder is trusted, and its links stay inside.",
    source: 'issue 20',
  },
  'skills.disabled': {
    promise: 'Skills can be disabled by name and as a whole; a project can only switch off.',
    source: 'issue 20',
  },
  'skills.bounds': {
    promise: 'There are at most 500 skills, and a SKILL.md has at most 1 MiB.',
    source: 'issue 20',
  },
  'skills.built-in': {
    promise: 'Built-in skills are listed without reading anything, and activate without a question.',
    source: 'issue 20',
  },
  'skills.context': {
    promise: 'The model knows names and descriptions of skills from the first prompt, and nothing else of them.',
    source: 'issue 20',
  },
  'skills.activate': {
    promise: 'activate_skill gives the instructions and the names of the files, if rules and the person agree.',
    source: 'issue 20',
  },
  'skills.reading': {
    promise: 'An activated skill can be read in this session, and nothing more.',
    source: 'issue 20',
  },
  'skills.slash': {
    promise: '/name activates a skill and sends the text after it.',
    source: 'issue 20',
  },
  'skills.commands': {
    promise: 'gemini skills lists, shows, enables, disables, writes, checks, packs and tests skills.',
    source: 'issue 20',
  },
  'skills.install': {
    promise: 'A skill is installed from a folder, an archive or git after consent, whole or not at all, with a lock.',
    source: 'issue 20',
  },
  'skills.archives': {
    promise: 'An archive with a hostile name, a link or too much in it is refused, and nothing is written.',
    source: 'issue 20',
  },
  'skills.test': {
    promise: 'gemini skills test runs the cases of a skill against a recorded or a live model.',
    source: 'issue 20',
  },
  'bundles.folders': {
    promise: 'Extensions and skills of a bundle are the files that were signed, and are used only as such.',
    source: 'issue 20',
  },
  'tui.history': {
    promise: 'In the terminal interface, every printed line is in the scrollback once, in order.',
    source: 'issue 21',
  },
  'tui.resize': {
    promise: 'A window of another size loses no line of the history.',
    source: 'issue 21',
  },
  'tui.flicker': {
    promise: 'A live row that does not change is never missing, at whatever byte the output is cut.',
    source: 'issue 21',
  },
  'tui.bytes': {
    promise: 'The terminal interface writes little more than the text, and nothing while nothing changes.',
    source: 'issue 21',
  },
  'tui.copy': {
    promise: 'Paragraphs break at words, and a copy of one is one line.',
    source: 'issue 21',
  },
  'tui.footer': {
    promise: 'The footer shows the folder, the branch, the model and the context used, as the settings order them.',
    source: 'issue 21',
  },
  'tui.turn': {
    promise: 'The terminal interface shows an answer once, and leaves a whole screen behind.',
    source: 'issue 21',
  },
  'tui.window': {
    promise: 'With ui.useAlternateBuffer, the whole window shows the history, scrolled and searched by keys.',
    source: 'issue 21',
  },
  'tui.window-lost': {
    promise: 'A conversation in the whole window leaves all of its history in the scrollback, also when it is killed.',
    source: 'issue 21',
  },
  'tui.approval': {
    promise: 'An approval is a list, answered by Enter, digits and letters, never by a key typed before it appears.',
    source: 'issue 21',
  },
  'tui.doctor': {
    promise: '`gemini doctor terminal` asks the terminal what it can do, and says how to fix what it cannot.',
    source: 'issue 21',
  },
  'tui.edit': {
    promise:
      'What a call would write or run can be edited in your editor first, and what you made of it is what counts.',
    source: 'issue 21',
  },
  'tui.all': {
    promise: 'Calls that wait together can be allowed together, when all that they would do is shown.',
    source: 'issue 21',
  },
  'calls.thinking': {
    promise: 'The time in which a person decides about a call is not counted as its time.',
    source: 'issue 21',
  },
  'tui.running': {
    promise: 'The end of what a running tool prints is shown while it runs.',
    source: 'issue 21',
  },
  'tui.queue': {
    promise: 'Lines sent while the agent works are shown, taken back, and sent in turn.',
    source: 'issue 21',
  },
  'tui.ghost': {
    promise: 'The end of an earlier prompt that starts as the typed text is offered in another colour; Right takes it.',
    source: 'issue 21',
  },
  'tui.waiting': {
    promise: 'Lines that wait can be moved, removed, and taken back one by one.',
    source: 'issue 21',
  },
  'tui.complete': {
    promise: 'Commands and files are listed while they are typed.',
    source: 'issue 21',
  },
  'tui.form': {
    promise: 'A form is a list where there is a choice, searched where the list is long; commands that need one ask.',
    source: 'issue 21',
  },
  'views.rewind': {
    promise: '/rewind shows the prompts with what each changed and what would be undone, and undoes it when you agree.',
    source: 'issue 21',
  },
  'views.resume': {
    promise: '/resume searches in contents, sorts, reads, renames, exports, deletes and continues sessions.',
    source: 'issue 21',
  },
  'views.settings': {
    promise: '/settings shows each setting, its value and why it holds, and changes it for the person or the project.',
    source: 'issue 21',
  },
  'views.help': {
    promise: '/help is searched by task, command and key, and puts what is chosen into the prompt.',
    source: 'issue 21',
  },
  'views.output': {
    promise: 'What tools have printed can be found and read page by page, at any length.',
    source: 'issue 21',
  },
  'views.question': {
    promise: 'A question waits while a view has the screen, the view says so, and keys for the view do not answer it.',
    source: 'issue 21',
  },
  'views.resize': {
    promise: 'A view fits windows of any size, and closing it gives the history back as it was.',
    source: 'issue 21',
  },
  'views.leaving': {
    promise: 'Signals and Ctrl+Z leave the alternate screen of a view.',
    source: 'issue 21',
  },
  'views.hostile': {
    promise: 'Nothing in a view reaches the terminal as a command.',
    source: 'issue 21',
  },
  'views.plain': {
    promise: 'Each view is a numbered list in plain lines, with the same actions.',
    source: 'issue 21',
  },
  'views.diff': {
    promise:
      'Diffs have line numbers and marked words, in two columns where the window is wide, and leave no line out.',
    source: 'issue 21',
  },
  'views.text': {
    promise: 'A long text is wrapped at words, paged and searched.',
    source: 'issue 21',
  },
  'views.list': {
    promise: 'A list of any length keeps its marked item in view, and shows what was searched last.',
    source: 'issue 21',
  },
  'sessions.rename': {
    promise: 'A session can be given a name, which later turns keep.',
    source: 'issue 21',
  },
  'keys.bindings': {
    promise: 'keybindings.json gives and takes keys, and an entry with a fault changes nothing and is named.',
    source: 'issue 21',
  },
  'keys.listed': {
    promise: '`gemini keys` lists every key with its command, and ends with 1 if the file has a fault.',
    source: 'issue 21',
  },
  'keys.vim': {
    promise:
      'With the keys of vim, counts, motions, operators, text objects, registers and `.` work; others do nothing.',
    source: 'issue 21',
  },
  'themes.colours': {
    promise: 'A theme sets the colours, as exactly as the terminal can; without one they are its own.',
    source: 'issue 21',
  },
  'themes.choice': {
    promise: 'All theme names of Gemini CLI, its custom themes and files of the home are themes; /theme chooses one.',
    source: 'issue 21',
  },
  'tui.notify': {
    promise: 'A person who looks elsewhere is notified, where the terminal can and the settings want it.',
    source: 'issue 21',
  },
  'tui.unfold': {
    promise: 'Long output of tools is shortened, and Ctrl+O shows all of it.',
    source: 'issue 21',
  },
  'questions.asked': {
    promise: 'ask_user puts choices, texts and yes or no to the person, who can always answer in other words.',
    source: 'issue 23',
  },
  'questions.headless': {
    promise: 'Without a person, ask_user is not offered, or answers from the file of --answers.',
    source: 'issue 23',
  },
  'plan.approved': {promise: 'What the person saw of a plan is what is approved, and stays known.', source: 'issue 23'},
  'plan.refused': {
    promise: 'A plan that is not approved keeps plan mode, and the model gets the reason.',
    source: 'issue 23',
  },
  'plan.headless': {
    promise: 'Without a person only a rule approves a plan, and the run continues in a mode that the person chose.',
    source: 'issue 23',
  },
  'plan.enter': {promise: 'The person or the model enters plan mode, unless a setting removes it.', source: 'issue 23'},
  'plan.directory': {promise: 'Plans can be kept in a folder of the project, and in no other.', source: 'issue 23'},
  'plan.extensions': {
    promise: 'An extension names a folder of the project for plans, where no setting does; no other folder counts.',
    source: 'issue 20',
  },
  'plan.model': {promise: 'Another model can plan than carries out.', source: 'issue 23'},
  'web.fetch': {
    promise: 'web_fetch gives pages, pictures and documents, by their declared charset.',
    source: 'issue 23',
  },
  'web.markdown': {promise: 'HTML becomes Markdown: its main part, with links, tables and code.', source: 'issue 23'},
  'web.public-only': {promise: 'Pages come from the public internet only, redirects included.', source: 'issue 23'},
  'web.no-rebinding': {
    promise: 'A name is resolved once; what was judged is what is connected to.',
    source: 'issue 23',
  },
  'web.bounded': {promise: 'A page is bounded in size, also unpacked, in time and in redirects.', source: 'issue 23'},
  'web.injection': {
    promise: 'What a page says is marked as foreign, and hidden text does not reach the model.',
    source: 'issue 23',
  },
  'web.parts': {promise: 'A long page is read in parts, from one request.', source: 'issue 23'},
  'web.search': {
    promise: 'google_web_search asks Gemini or the provider of the settings, else it is not offered.',
    source: 'issue 23',
  },
  'sandbox.managed': {promise: 'A sandbox that an administrator asks for cannot be turned off.', source: 'issue 22'},
  'web.robots': {promise: 'Where web.robots is on, what a site forbids programs is not fetched.', source: 'issue 23'},
  'web.pdf': {promise: 'The text of a PDF is read in bounded time and memory.', source: 'issue 23'},
  'memory.facts': {
    promise: 'A fact is remembered in the file of its scope, once, after a question in every mode, and never a secret.',
    source: 'issue 23',
  },
  'memory.commands': {
    promise: 'gemini memory says where a line comes from, whether it counts, what stands twice, and what it costs.',
    source: 'issue 23',
  },
  'memory.init': {
    promise: 'gemini init writes a context file from what the project says, and asks first.',
    source: 'issue 23',
  },
  'mcp.subscriptions': {promise: 'A resource that was read and changes is known to be stale.', source: 'issue 19'},
  'mcp.google': {
    promise: 'Servers of Google get tokens of the application default credentials, and no other server does.',
    source: 'issue 19',
  },
  'context.pairs': {
    promise: 'Masking never leaves a call without its result or changes a text, and what it leaves out is in a file.',
    source: 'issue 24',
  },
  'context.steps': {
    promise: 'What a request leaves out follows from the history before it, and changes rarely.',
    source: 'issue 24',
  },
  'context.hostile': {
    promise: 'A listener of history:fit can change outputs of results and inputs of calls, and nothing else.',
    source: 'issue 24',
  },
  'context.graph': {promise: 'Nodes of a history have ids that follow its entries.', source: 'issue 24'},
  'context.masking': {
    promise: 'A long session sends less, keeps its prefix, and every fact in its tool output can be found again.',
    source: 'issue 24',
  },
  'context.media': {
    promise: 'Old pictures and documents leave requests by their bytes, and the model can look at them again.',
    source: 'issue 24',
  },
  'context.short': {promise: 'A short session sends what it would send without masking.', source: 'issue 24'},
  'context.commands': {
    promise: 'A person sees what a request contains and why, and the model reads what was left out without a question.',
    source: 'issue 24',
  },
  'context.unwritable': {promise: 'What cannot be kept in a file stays in the request.', source: 'issue 24'},
  'context.index': {promise: 'A summary says where the tool output is that it replaces.', source: 'issue 24'},
  'context.snapshot': {promise: 'A profile writes the summary before it is needed.', source: 'issue 24'},
  'sessions.scratchpad': {
    promise: 'A session says at its end what was done, as Gemini CLI does; it is out of date when something follows.',
    source: 'issue 24',
  },
  'learning.reflect': {
    promise: 'gemini reflect finds what repeats in a session, with evidence and the command that would help.',
    source: 'issue 24',
  },
  'learning.inbox': {
    promise: 'A proposal is applied whole or not at all, can be taken back, and one that is wrong is shown with why.',
    source: 'issue 24',
  },
  'learning.edit': {
    promise: 'A proposal is edited in the editor of the person and checked again.',
    source: 'issue 24',
  },
  'learning.cases': {promise: 'A proposed skill is applied after its own cases have passed.', source: 'issue 24'},
  'learning.view': {
    promise: 'The inbox is a view: what is proposed, why, and keys for each answer.',
    source: 'issue 24',
  },
  'learning.extraction': {
    promise:
      'Old sessions are looked through once, without secrets; what fits waits, the rest is kept with the reason.',
    source: 'issue 24',
  },
  'learning.model': {
    promise: 'A setting of the person names the model that looks through old sessions.',
    source: 'issue 24',
  },
  'learning.background': {
    promise: 'Learning is off until a person switches it on, comes after an answer, and ends with the program.',
    source: 'issue 24',
  },
  'learning.hint': {
    promise: 'Where it is switched on, the end of a conversation that went badly says what would help.',
    source: 'issue 24',
  },
  'secrets.scrubbed': {
    promise: 'Text without a reader loses known secrets and what has their form.',
    source: 'issue 24',
  },
  'learning.closed': {promise: 'No agent of a conversation can write proposals unasked.', source: 'issue 24'},
  'telemetry.otlp': {
    promise: 'Events, spans and measurements reach a collector over gRPC and HTTP, by the names of Gemini CLI.',
    source: 'issue 26',
  },
  'telemetry.project': {
    promise: 'A project cannot switch telemetry on, and cannot say where it goes.',
    source: 'issue 26',
  },
  'telemetry.context': {
    promise: 'Calls of MCP servers and remote agents carry the trace of the prompt, while telemetry is on.',
    source: 'issue 26',
  },
  'telemetry.down': {promise: 'A collector that is down holds up no run.', source: 'issue 26'},
  'telemetry.fleet': {
    promise: 'A task of a fleet is one trace, with all its attempts and what was done in each.',
    source: 'issue 26',
  },
  'telemetry.google': {
    promise: 'Records go to Google Cloud with a token for a project that the person names, and never by a repository.',
    source: 'compat: sessions',
  },
  'telemetry.reference': {
    promise: 'Tools that read a telemetry file of Gemini CLI find prompts, requests, calls and hooks in it.',
    source: 'compat: sessions',
  },
  'telemetry.off': {promise: 'While telemetry is off, nothing that records or sends is loaded.', source: 'issue 26'},
  'telemetry.bounded': {promise: 'Records that wait for a collector take bounded memory.', source: 'issue 26'},
  'telemetry.file': {promise: 'Records can be written to a file and read there.', source: 'issue 26'},
  'telemetry.prometheus': {promise: 'Prometheus can ask for metrics on this machine.', source: 'issue 26'},
  'todos.list': {promise: 'The model keeps a list of steps, which every front end shows.', source: 'issue 23'},
  'todos.tracker': {
    promise:
      'Tasks with parents and dependencies are kept in files of the session, and none is lost or waits for itself.',
    source: 'issue 23',
  },
  'todos.resumed': {promise: 'A continued session has its steps again.', source: 'issue 23'},
  'tui.clipboard': {
    promise: '/copy puts the source text of the last answer, or its last code block, on the clipboard.',
    source: 'issue 21',
  },
  'keys.suspend': {
    promise: 'Ctrl+Z gives the terminal to the shell, and fg brings the prompt back as it was.',
    source: 'issue 21',
  },
  'tui.footer-command': {
    promise: 'The footer shows the first line of a command of the person, judged like any call, at most once a second.',
    source: 'issue 21',
  },
  'tui.footer-view': {
    promise: '/footer chooses and orders the items of the footer with a preview, and keeps them in your settings.',
    source: 'issue 21',
  },
  'updates.notice': {
    promise:
      'A conversation of a published program asks npm once a day for a newer version, and says so; never in CI, and ' +
      'neither a start nor an end waits for it.',
    source: 'issue 21',
  },
  'tui.terminal-setup': {
    promise:
      'gemini terminal-setup names the terminal, says what to do for what it cannot, and adds Shift+Enter to an ' +
      'editor after a question, with a copy and everything else in the file as it was.',
    source: 'issue 21',
  },
  'bug.report': {
    promise: '/bug shows a report without anything private, and opens the address of the settings after a yes.',
    source: 'issue 21',
  },
  'tui.image': {
    promise: 'Ctrl+V attaches the image of the clipboard to the prompt, or says why there is none.',
    source: 'issue 21',
  },
  'tui.limit': {
    promise: 'The rule of an answer can be narrowed before it is kept, and never made wider than what was proposed.',
    source: 'issue 21',
  },
  'views.plugins': {
    promise:
      'Models, rules, servers, directories, tools and the like are views: found, read, and changed by their keys.',
    source: 'issue 21',
  },
  'views.edit': {
    promise: 'A view can open a file in the editor of the person; `/memory edit` does for context files.',
    source: 'issue 23',
  },
  'views.model': {
    promise: '/model shows the models of all providers, and uses one here or also in later conversations.',
    source: 'issue 21',
  },
  'shells.background': {
    promise: 'Ctrl+B sends a running command to the background; /shells shows what it prints, and stops it.',
    source: 'issue 21',
  },
  'shells.typing': {
    promise: 'Tab gives the keys to a running command with a terminal, confined like any other; Shift+Tab takes them.',
    source: 'issue 21',
  },
  'shells.plain': {
    promise: 'Commands in the background are read, typed into and stopped in plain lines, too.',
    source: 'issue 21',
  },
  'tui.others': {
    promise: 'Commands that print leave the screen in order.',
    source: 'issue 21',
  },
  'tui.leaving': {
    promise: 'A signal or a lost terminal in the middle of an answer leaves no process.',
    source: 'issue 21',
  },
  'catalogs.order': {
    promise: "Catalogs are searched in the order of the settings, the administrator's first, then npm.",
    source: 'issue 20',
  },
  'catalogs.layers': {
    promise: 'Only a person and an administrator name catalogs; an administrator can make theirs the only ones.',
    source: 'issue 20',
  },
  'catalogs.signed': {
    promise: 'A signature of a catalog is shown, or its absence; where a key is named, nothing else counts.',
    source: 'issue 20',
  },
  'catalogs.offline': {
    promise: 'A catalog whose server does not answer is used as it was fetched last, with its age, if it still counts.',
    source: 'issue 20',
  },
  'catalogs.fetch': {
    promise: 'A catalog comes by https, within limits of size and time, and from no other server than the named one.',
    source: 'issue 20',
  },
  'catalogs.files': {
    promise: 'A catalog that cannot be used is named with the reason; the others are searched.',
    source: 'issue 20',
  },
  'catalogs.texts': {
    promise: 'Texts of catalogs and registries are bounded, on one line, and without control characters.',
    source: 'issue 20',
  },
  'catalogs.commands': {
    promise: 'gemini catalogs lists, checks and signs catalogs.',
    source: 'issue 20',
  },
  'catalogs.search': {
    promise: 'gemini plugins search shows what each result is, who made it, when, how, and what it may do.',
    source: 'issue 20',
  },
  'catalogs.rules': {
    promise: 'A search says what the rules in force allow, and fetches nothing of what it finds.',
    source: 'issue 20',
  },
  'extensions.explore': {
    promise: 'gemini extensions explore finds extensions by npm and in catalogs, with the verdict of the rules.',
    source: 'issue 20',
  },
  'extensions.convert': {
    promise: 'gemini extensions convert writes a plugin with the same effect, and names what cannot be carried.',
    source: 'issue 20',
  },
  'extensions.releases': {
    promise:
      'A repository of GitHub gives the archive of its release first, pinned by its hash, and git is asked else.',
    source: 'issue 20',
  },
  'processes.end': {
    promise: 'No hook, checker or MCP server outlives gemini, whatever ends it.',
    source: 'issue 20',
  },
  'processes.run': {
    promise: 'A program that gemini runs is bounded in time and output, and every fault of it is an outcome.',
    source: 'issue 20',
  },
  'sandbox.leaks': {
    promise: 'Nothing of what a confined program must not reach can be reached, as root and as an ordinary user.',
    source: 'issue 22',
  },
  'sandbox.choice': {
    promise: 'GEMINI_SANDBOX, --sandbox and tools.sandbox turn the sandbox on; a project cannot turn it off.',
    source: 'issue 22',
  },
  'sandbox.unavailable': {
    promise:
      'A sandbox that is asked for and cannot be used ends the start with 44, what is missing, and how to get it.',
    source: 'issue 22',
  },
  'sandbox.modes': {
    promise: 'Confined commands write the workspace and temporary files, in plan mode only temporary files.',
    source: 'issue 22',
  },
  'sandbox.explained': {
    promise: 'gemini sandbox explain shows each mount, mask and network and where it comes from.',
    source: 'issue 22',
  },
  'sandbox.filter': {
    promise: 'The filter of system calls is made by our own code and shown as text.',
    source: 'issue 22',
  },
  'sandbox.network': {
    promise: 'Confined programs reach the hosts that are granted by name, by HTTP and SOCKS, and no others.',
    source: 'issue 22',
  },
  'sandbox.questions': {
    promise:
      'A host that nothing grants is asked about while the connection waits: once, for the session, or for good.',
    source: 'issue 22',
  },
  'sandbox.credentials': {
    promise: 'The exit adds a secret to requests for the host that a setting names; no confined program has it.',
    source: 'issue 22',
  },
  'sandbox.memory': {
    promise:
      'tools.sandboxMemory limits the memory of each process in the sandbox; a result says what ended a command.',
    source: 'issue 22',
  },
  'sandbox.processes': {
    promise: 'Settings and rules limit the processes and the memory of a command; a fork bomb ends there.',
    source: 'issue 22',
  },
  'sandbox.paths': {
    promise:
      'A path that the mounts keep a command from writing is asked about while the call waits; nothing runs twice.',
    source: 'issue 22',
  },
  'sandbox.rules': {
    promise: 'With sandboxed = true a rule speaks about confined commands only; builds and tests then run unasked.',
    source: 'issue 22',
  },
  'sandbox.grants': {
    promise: 'A rule grants a command in the sandbox what it says, if the rule of each command of the line does.',
    source: 'issue 22',
  },
  'sandbox.limits': {
    promise: 'sandbox.toml of the reference says what modes and commands reach; a project loosens nothing by it.',
    source: 'issue 22',
  },
  'isolation.confined': {
    promise: 'An installed plugin in a process of its own reaches what it declares, and nothing else.',
    source: 'issue 22',
  },
  'isolation.uses': {
    promise:
      'What an isolated plugin uses and is refused is kept, by who saw it; the plugin can neither fill nor forge it.',
    source: 'issue 22',
  },
  'isolation.tested': {
    promise: 'The devkit runs tests of a plugin in both tiers, and names what differs and what would not travel.',
    source: 'issue 22',
  },
  'isolation.tiers': {
    promise: 'Plugins of the product that travel give equal outcomes and traces in both tiers.',
    source: 'issue 22',
  },
  'isolation.required': {
    promise: 'Isolation that is required is there, or the plugin does not run; a project cannot loosen it.',
    source: 'issue 22',
  },
  'isolation.border': {
    promise: 'What does not pass between processes fails with a code that says so, and the plugin keeps working.',
    source: 'issue 22',
  },
  'isolation.leaks': {
    promise:
      'From a tool, a listener, a service and a command of an isolated plugin nothing leaks, as root and as a user.',
    source: 'issue 22',
  },
  'isolation.holes': {
    promise: 'A plugin that declares nothing gets through none of the holes of the permission model of Node.',
    source: 'issue 22',
  },
  'isolation.frames': {
    promise: 'Whatever a plugin sends, gemini continues, each request is settled, and memory stays flat.',
    source: 'issue 22',
  },
  'isolation.hostile': {
    promise: 'Loops, memory, output, processes and a full disk of a plugin end its process at most; a line names it.',
    source: 'issue 22',
  },
  'isolation.bytes': {
    promise: 'An isolated plugin runs as it was checked, or does not run.',
    source: 'issue 22',
  },
  'isolation.declared': {
    promise: 'Hosts, variables and paths that a plugin declares are open to it, and others are not.',
    source: 'issue 22',
  },
  'isolation.hooks': {
    promise: 'Listeners of every kind work from a process of their own.',
    source: 'issue 22',
  },
  'isolation.preferred': {
    promise: 'Where nothing confines it, a preferred isolation has Node as its only guard, and says so.',
    source: 'issue 22',
  },
  'isolation.commands': {
    promise: 'A command of an isolated plugin works as in the process of gemini, with what its plugin declares.',
    source: 'issue 22',
  },
  'isolation.linked': {
    promise: 'A plugin that is developed can be tried in a process of its own.',
    source: 'issue 22',
  },
  'capabilities.optional': {
    promise: 'An optional capability is granted by a person when a call needs it: once, until the end, or kept.',
    source: 'issue 22',
  },
  'capabilities.paths': {
    promise: 'A plugin declares the paths that it reads or writes, and gets no others.',
    source: 'issue 22',
  },
  'isolation.idle': {
    promise: 'The process of a plugin that has nothing to do is stopped, and is there again when it is needed.',
    source: 'issue 22',
  },
  'sandbox.uses': {
    promise: 'npm, git, servers for development and builds run in the sandbox as they are.',
    source: 'issue 22',
  },
  'sandbox.hidden': {
    promise: 'Files are hidden from programs in the sandbox however many there are, and who hides them keeps no right.',
    source: 'issue 22',
  },
  'sandbox.starter': {
    promise: 'What starts a confined command is a file of our own that limits it and leads it to its exit.',
    source: 'issue 22',
  },
  'sandbox.lxc': {
    promise: 'A container of lxc has the folders of its sessions while they run, and no file of the machine is lost.',
    source: 'issue 22',
  },
  'sandbox.enclosed': {
    promise: 'A conversation runs in docker, podman or gVisor where that is asked for, or it does not run.',
    source: 'issue 22',
  },
  'sandbox.seatbelt': {
    promise: 'sandbox-exec gets a profile of the reference’s names, with every parameter, and no shell.',
    source: 'issue 22',
  },
  'sandbox.additional': {
    promise: 'What a command asks for beyond the sandbox is asked in every mode, exactly as it is then given.',
    source: 'issue 22',
  },
  'sandbox.programs': {
    promise: 'MCP servers, hooks and checkers run in the sandbox where tools.sandboxPrograms names them.',
    source: 'issue 22',
  },
  'sandbox.clean': {
    promise: 'Nothing of a sandbox is left when gemini ends or is killed.',
    source: 'issue 22',
  },
  'sandbox.tree': {
    promise: 'A new repository or .env file is protected from the next command on, without walking the tree again.',
    source: 'issue 22',
  },
  'code.languages': {promise: 'The symbols of nineteen languages are read as code.', source: 'issue 23'},
  'code.outline': {promise: 'A file or folder is shown by its symbols, within a number of tokens.', source: 'issue 23'},
  'code.read': {promise: 'A symbol is read by its name, with its comments, exactly as it is.', source: 'issue 23'},
  'code.versions': {promise: 'What was read as code is not overwritten when it changed since.', source: 'issue 23'},
  'code.edit': {
    promise:
      'A symbol is changed by its name, through replace, byte for byte, and never into a file that does not parse.',
    source: 'issue 23',
  },
  'code.find': {
    promise: 'Definitions, uses and implementations are found by name, without other things of that name.',
    source: 'issue 23',
  },
  'code.references': {
    promise: 'Where a language server answers, uses of a member differ from those of others with its name.',
    source: 'issue 23',
  },
  'code.fresh': {promise: 'An answer about code is about the files as they are now.', source: 'issue 23'},
  'code.ignored': {promise: 'What ignore files name is not read as code.', source: 'issue 23'},
  'code.map': {promise: 'A repository is shown by what the rest of it uses most.', source: 'issue 23'},
  'code.offered': {promise: 'The tools about code are offered where there is code.', source: 'issue 23'},
  'code.index': {
    promise: 'The index of symbols is kept between runs, and made again when it is broken.',
    source: 'issue 23',
  },
  'code.hostile': {
    promise: 'Huge, binary, deep and broken files do not hold up what is read as code.',
    source: 'issue 23',
  },
  'code.servers': {
    promise: 'Language servers are found outside of the project and never fetched; a project names none.',
    source: 'issue 23',
  },
  'code.diagnostics': {
    promise: 'The errors of a file come from its language server, marked as the text of others.',
    source: 'issue 23',
  },
  'code.edit-errors': {promise: 'An edit shows the errors that it adds, and only those.', source: 'issue 23'},
  'code.server-hostile': {
    promise: 'A language server that is slow, ends, or sends nonsense takes nothing from an edit.',
    source: 'issue 23',
  },
  'code.commands': {promise: 'gemini code shows what the tools find, as text and as JSON.', source: 'issue 23'},
  'agents.definition': {
    promise: 'Files of agents are read as Gemini CLI reads them, and more forgivingly; what is wrong is a sentence.',
    source: 'issue 24',
  },
  'agents.claude': {
    promise: 'Files of Claude Code work: names of tools are mapped, and what has no effect is named.',
    source: 'issue 24',
  },
  'agents.template': {
    promise: 'Only what is ours is filled into an instruction; any other ${…} stays.',
    source: 'issue 24',
  },
  'agents.tools': {promise: 'An agent has the tools of its definition, and no others.', source: 'issue 24'},
  'agents.worktree': {
    promise:
      'An agent with `isolation: worktree` works on a branch and in a folder of its own; unmerged work is not lost.',
    source: 'issue 24',
  },
  'agents.run': {
    promise: 'An agent works in a conversation of its own, and its caller gets the report.',
    source: 'issue 24',
  },
  'agents.cost': {promise: 'The requests of an agent count for its caller.', source: 'issue 24'},
  'agents.hooks': {
    promise: 'Hooks see each step of an agent, and the prompt of the person once.',
    source: 'issue 24',
  },
  'agents.limit': {
    promise: 'An agent whose turns or time are used up reports in one more turn, with every call answered.',
    source: 'issue 24',
  },
  'agents.failure': {promise: 'Success, limit, failure and refusal of an agent are different.', source: 'issue 24'},
  'agents.cancel': {promise: 'An agent ends with the prompt of its caller.', source: 'issue 24'},
  'agents.unknown': {promise: 'An agent that is not there is named with the reason.', source: 'issue 24'},
  'agents.order': {
    promise: 'What agents side by side change, they change one after the other.',
    source: 'issue 24',
  },
  'agents.progress': {
    promise: 'Front ends show what an agent does while it works.',
    source: 'issue 24',
  },
  'agents.parallel': {promise: 'Agents of one answer work at the same time.', source: 'issue 24'},
  'agents.depth': {
    promise: 'Agents call agents only where their definition says so, and three levels deep.',
    source: 'issue 24',
  },
  'agents.policy': {
    promise: 'A rule opens to an agent what is closed to others, and the other way round.',
    source: 'issue 24',
  },
  'agents.mode': {promise: 'The mode of an agent is no looser than that of its caller.', source: 'issue 24'},
  'agents.named': {
    promise: 'No plugin but those of the product names an agent; a request cannot name another one.',
    source: 'issue 24',
  },
  'agents.person': {
    promise: 'Questions and notices of an agent reach the person of the session above, with its name.',
    source: 'issue 24',
  },
  'agents.acknowledged': {
    promise: 'An agent of a project counts after the person read its file as it is.',
    source: 'issue 24',
  },
  'agents.untrusted': {promise: 'No agent of a folder that is not trusted counts.', source: 'issue 24'},
  'agents.names': {
    promise: 'Of agents with one name the first counts, and no file replaces one of the product.',
    source: 'issue 24',
  },
  'agents.overrides': {
    promise: 'Settings change agents; a project only disables them and lowers limits.',
    source: 'issue 24',
  },
  'agents.context': {
    promise: 'The model learns which agents there are; descriptions of others are marked as foreign.',
    source: 'issue 24',
  },
  'agents.mention': {promise: '@name in a prompt asks for an agent.', source: 'issue 24'},
  'agents.events': {promise: 'stream-json has the events of agents, in lines of their own.', source: 'issue 24'},
  'agents.recorded': {
    promise:
      'The session of an agent is recorded below that of its caller, and what it changes is undone with its prompt.',
    source: 'issue 24',
  },
  'agents.worktree-run': {
    promise: 'With --worktree, a run works in a git worktree, ends as a branch and a diff, and is continued there.',
    source: 'issue 24',
  },
  'agents.docs': {
    promise: 'Questions about this program are answered from its own documentation, offline; no path leads out of it.',
    source: 'issue 24',
  },
  'agents.test': {
    promise: 'Cases beside the file of an agent are run, on recorded answers too; each built-in agent has some.',
    source: 'issue 24',
  },
  'agents.servers': {
    promise: 'MCP servers of an agent run for it only, end with it, and need the same agreement as the agent.',
    source: 'issue 24',
  },
  'agents.rules': {promise: 'An agent is judged by the rules that its caller has read.', source: 'issue 24'},
  'agents.approval': {
    promise:
      'What a person allows for the session holds for the conversation and its agents; rules about an agent hold.',
    source: 'issue 24',
  },
  'agents.remote-command': {
    promise: 'A login of a remote agent is the output of a command, after trust.',
    source: 'issue 24',
  },
  'agents.remote-oauth': {
    promise: 'A person logs in to a remote agent by OAuth, as to an MCP server.',
    source: 'issue 24',
  },
  'agents.remote-google': {
    promise: 'Credentials of Google go to Google, for agents of the person.',
    source: 'issue 24',
  },
  'agents.remote': {
    promise: 'Agents of other programs are asked over A2A, each after a yes or by a rule; what they say is data.',
    source: 'issue 24',
  },
  'agents.call': {
    promise: 'gemini a2a call asks an agent of another program, and tells how that ended.',
    source: 'issue 24',
  },
  'agents.killed': {
    promise: 'A program that is killed with agents at work resumes; what they wrote is in their worktrees.',
    source: 'issue 24',
  },
  'agents.hostile': {promise: 'Definitions that would reach more than they list do not.', source: 'issue 24'},
  'agents.config': {promise: 'gemini agents config shows and writes the settings of an agent.', source: 'issue 24'},
  'agents.commands': {promise: 'gemini agents lists, shows, writes, checks and runs agents.', source: 'issue 24'},
  'fleet.carried': {
    promise: 'A commit that another machine made is made again from its patch; its number proves that it is the same.',
    source: 'issue 26',
  },
  'fleet.engines': {
    promise:
      'The same plan gives the same results with each engine but for times, commits and machines; all is pushed.',
    source: 'issue 26',
  },
  'fleet.pace': {
    promise: 'The requests of a minute that a plan allows hold for all machines together.',
    source: 'issue 26',
  },
  'fleet.disk': {
    promise: 'A task whose checkout grows beyond the limit of the plan is ended, and its files are removed.',
    source: 'issue 26',
  },
  'fleet.ignored': {
    promise: 'Files that a task left and git ignores are named in its result.',
    source: 'issue 26',
  },
  'fleet.bullmq': {
    promise:
      'A queue on PostgreSQL or Redis keeps the jobs of BullMQ in step with its ledger, and refuses servers that ' +
      'would lose it; no password is shown.',
    source: 'issue 26',
  },
  'evals.format': {
    promise: 'An evaluation is a folder with eval.toml; what is wrong in it is named with file, key and value.',
    source: 'issue 26',
  },
  'evals.list': {
    promise: 'gemini evals list shows evaluations and what each needs, without trust.',
    source: 'issue 26',
  },
  'evals.checks': {
    promise:
      'Files, calls, refusals, the answer, a command, turns, tokens and cost are checked, and faults are sentences.',
    source: 'issue 26',
  },
  'evals.trust': {
    promise: 'Evaluations run in trusted folders only, and what they do besides edits needs a yes.',
    source: 'issue 26',
  },
  'evals.rules': {
    promise: 'Rules of an evaluation only tighten; commands of checks are judged like calls.',
    source: 'issue 26',
  },
  'evals.call': {promise: 'An evaluation can be one call of a tool, without a model.', source: 'issue 26'},
  'evals.errors': {
    promise: 'A model that cannot be asked is an error, which does not count in rates, and is soon not asked again.',
    source: 'issue 26',
  },
  'evals.suites': {
    promise: 'Each evaluation of a suite can be passed, and fails when nothing or something else is done.',
    source: 'issue 26',
  },
  'evals.compare': {
    promise: 'Two runs of evaluations differ only where an exact test shows it; a baseline decides the exit code.',
    source: 'issue 26',
  },
  'evals.page': {
    promise:
      'The page of a run has pictures and no script, shows every text as text, fits wide and narrow screens, and ' +
      'asks for nothing.',
    source: 'issue 26',
  },
  'evals.replay': {
    promise: 'The conversation of a repetition is shown again without a model.',
    source: 'issue 26',
  },
  'evals.resume': {
    promise: 'Results are lines as they end; a run that was killed continues with what is missing.',
    source: 'issue 26',
  },
  'evals.record': {
    promise: 'What a model answered is recorded, and repeated without it in another folder.',
    source: 'issue 26',
  },
  'evals.ablate': {
    promise:
      'gemini evals ablate compares a description or an instruction with a variant of it; only the person who runs ' +
      'it gives one, nothing but its text changes, and results say which variant they had.',
    source: 'issue 26',
  },
  'evals.guide': {promise: 'The guide about evaluations can be followed line by line.', source: 'issue 26'},
  'evals.queue': {
    promise:
      'Workers on several machines run repetitions from a queue, each once, within its budget, and only evaluations ' +
      'that they have themselves; the results come together in one file, also after a crash.',
    source: 'issue 26',
  },
  'evals.faults': {promise: 'What evaluations cannot use is named: the flag, the file, the line.', source: 'issue 26'},
  'evals.judge': {
    promise: 'A model as judge counts only when it judges its own cases as they say.',
    source: 'issue 26',
  },
  'fleet.queue': {promise: 'Every engine of queues passes the cases of its contract.', source: 'issue 26'},
  'fleet.journal': {
    promise: 'The journal of a queue loses nothing that it said was kept: cut off, full, killed, or compacted.',
    source: 'issue 26',
  },
  'fleet.run': {
    promise: 'A fleet makes a branch and a result for each repository, and does nothing twice.',
    source: 'issue 26',
  },
  'fleet.trust': {
    promise: 'A repository of a fleet brings nothing along unless the plan trusts it, and loses nothing of it.',
    source: 'issue 26',
  },
  'fleet.rows': {promise: 'Rows of a table fill the prompt of a fleet.', source: 'issue 26'},
  'fleet.budget': {promise: 'A fleet pauses at its budget, says what is left, and continues.', source: 'issue 26'},
  'fleet.refused': {
    promise: 'What a fleet was refused is listed with what would allow it.',
    source: 'issue 26',
  },
  'fleet.alike': {promise: 'Tasks that fail in the same way pause a fleet.', source: 'issue 26'},
  'fleet.changed': {
    promise: 'Limits that a plan has now count for its known tasks, from their next attempt on.',
    source: 'issue 26',
  },
  'fleet.left': {
    promise: 'A repository that cannot be read costs its rows only, and the same command adds them later.',
    source: 'issue 26',
  },
  'fleet.faults': {
    promise: 'What is wrong in a plan or its rows is named before a model is asked.',
    source: 'issue 26',
  },
  'fleet.agree': {promise: 'A fleet starts after a yes to what its plan lets happen.', source: 'issue 26'},
  'fleet.pause': {promise: 'A pause reaches runs at once, and they continue afterwards.', source: 'issue 26'},
  'fleet.cancel': {promise: 'A cancel reaches runs at once, and retry has them wait again.', source: 'issue 26'},
  'fleet.owner': {promise: 'One process owns a fleet in a folder, and a second one is refused.', source: 'issue 26'},
  'fleet.resume': {promise: 'A task whose process is killed continues in its session.', source: 'issue 26'},
  'fleet.once': {
    promise: 'Results, branches and comments of a fleet are there once, whatever is killed.',
    source: 'issue 26',
  },
  'fleet.uncertain': {promise: 'An effect that cannot be asked for is at most once.', source: 'issue 26'},
  'fleet.push': {promise: 'A push of a fleet overwrites no branch.', source: 'issue 26'},
  'fleet.workers': {promise: 'The examples that start workers fit the command and their readers.', source: 'issue 26'},
} as const satisfies Readonly<Record<string, Requirement>>;
