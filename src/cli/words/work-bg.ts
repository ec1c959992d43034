import { countBg, ordersBg } from './counts-bg.ts';
import type { workInEnglish } from './work-en.ts';

const waits = (n: number, isMore: boolean): string => `${isMore ? 'повече от ' : ''}${ordersBg(n)} ${n === 1 ? 'чака' : 'чакат'}`;

export const workInBulgarian: typeof workInEnglish = {
  ask: {
    suffix: '[да/не]',
    noTerminal: 'нищо не беше променено: добавете --yes, защото няма терминал, на който да се попита',
    no: 'нищо не беше променено',
  },
  core: {
    warning: (words) => `Внимание: ${words}`,
    otherSettings: (names) =>
      `сървърът работи с други настройки: ${names}. Дайте на тази команда същите, например във файл .env там, където работят и двамата.`,
    noQueue: (why) => `опашката не отговаря (${why}); проверете REDIS_URL и дали Redis работи`,
  },
  secrets: {
    committable: (path) => `Внимание: ${path} може да попадне в git: преместете го извън хранилището или го впишете в .gitignore`,
    seen: (flags) =>
      `Внимание: ${flags.join(', ')} ${flags.length === 1 ? 'беше даден' : 'бяха дадени'} на командния ред, където се вижда в \`ps\` и в историята на обвивката; дайте prompt, @FILE или -`,
    type: (flag) => `${flag}: въведете и натиснете Enter (въведеното не се показва)`,
    cancelled: 'прекъснато; нищо не беше променено',
    notGiven: (flag) => `${flag} не беше даден; нищо не беше променено`,
  },
  ready: {
    is: (address, data) => `orderbridge е готов: ${address} · ${data}`,
    dataIn: (folder) => `данните са в ${folder}`,
    dataElsewhere: 'данните са в PostgreSQL от DATABASE_URL',
    next: (command) => `След това, в друг терминал: ${command} · спира се с Ctrl-C`,
    connect: './orderbridge shop create --help, после ./orderbridge connect --help',
    setupLink: (address) => `Първо посещение: ${address}`,
  },
  destinations: {
    none: 'Още не се използва услуга за отчитане; `orderbridge connect --help` казва как се свързва магазин.',
    pace: ({ requests, failed, isMore }) =>
      `${isMore ? 'над ' : ''}${countBg(requests, 'заявка', 'заявки')}${failed === 0 ? '' : `, ${countBg(failed, 'неприета', 'неприети')}`}`,
    callTypes: { records: 'записи', receipts: 'документи за продажба' },
    ofShop: (shopId) => ` на обект ${shopId}`,
    paused: ({ what, since, why, waiting, until }) => `${what}: пауза от ${since}: ${why}; ${waits(waiting.orders, waiting.isMore)}; следващ опит в ${until}`,
    fails: 'услугата за отчитане не работи с този ключ; `orderbridge doctor` казва повече',
    noAnswer: (ms) => `не отговори за ${ms} мсек.`,
    answered: (status, ms) => `отговори с ${status} за ${ms} мсек.`,
    works: ': работи и приема ключа',
    probed: (n) => `Сега се изпраща по една поръчка ${n === 1 ? 'от паузата' : `от всяка от ${n} паузи`}; \`orderbridge destinations\` показва какво става.`,
    notPaused: (where) => `${where} не беше в пауза.`,
    ended: (n, where) => `${n === 1 ? 'Паузата' : `${n} паузи`} на ${where} ${n === 1 ? 'свърши' : 'свършиха'}; поръчките, които чакаха, се изпращат сега.`,
    endedOne: (what, code, since) => `${what}: ${code} от ${since}`,
  },
  queues: {
    resumed: (name) => `${name} отново работи.`,
    notPaused: (name) => `${name} не беше в пауза.`,
  },
  drain: {
    interrupted: 'прекъснато',
    late: (seconds) => `не свърши за ${seconds} сек.`,
    left: ({ behind, deliveries, submissions, inbox }) =>
      `остават изоставащи поръчки: ${behind}, задачи за известия: ${deliveries}, задачи за изпращане: ${submissions}, редове във входящите: ${inbox}; ` +
      '`orderbridge orders --state queued` показва поръчките, `orderbridge connections` – дали услуга за отчитане е в пауза',
  },
  many: {
    would: (n, code, words) =>
      `${ordersBg(n)}, ${n === 1 ? 'която чака' : 'които чакат'} човек с ${code}, ${n === 1 ? 'би била уредена' : 'биха били уредени'} така: ${words}.`,
    as: { 'not-a-sale': 'не е продажба на този обект', elsewhere: 'отчетена е другаде, окончателно' },
    tooMany: (most) => `избрани са повече от ${most} поръчки; стеснете ги с --connection, --month, --from или --to`,
    ask: (n) => (n === 1 ? 'Да бъде ли уредена?' : `Да бъдат ли уредени всичките ${n}?`),
    settled: (n, run) => `${ordersBg(n)} ${n === 1 ? 'е уредена' : 'са уредени'}; /console/runs/${run} показва какво е станало.`,
    alone: 'Тези, които имат запис или отворена заявка, се уреждат една по една.',
    released: (n, code, stores) =>
      `${ordersBg(n)}, ${n === 1 ? 'която чакаше' : 'които чакаха'} човек с ${code}, ${n === 1 ? 'се преценява' : 'се преценяват'} отново${stores === '' ? '' : `: ${stores}`}.`,
    ofStore: (n, name, id) => `${n} на ${name} (${id})`,
    first: (name, seconds) => `Поръчка ${name} минава първа; изчаква се какво ще стане с нея (най-много ${seconds} сек.).`,
    stay: (n, id, codes) => `Още ${ordersBg(n)} на ${id} (${codes}) ${n === 1 ? 'остава да чака' : 'остават да чакат'} човек`,
    goesOn: (commands) => `Щом причината е отстранена, продължете с ${commands}.`,
    and: 'и',
    undecided: (name, seconds) => `поръчка ${name} мина първа и не беше преценена за ${seconds} сек. (\`orderbridge status\` казва дали нещо работи по нея)`,
    became: (name, state) => `поръчка ${name} мина първа и е в състояние „${state}“`,
    becameAs: (name, state, why) => `поръчка ${name} мина първа и е в състояние „${state}“: ${why}`,
  },
  planAgain: {
    ask: (named) => `Да бъде ли изтрит записът на ${named} и създаден друг?`,
    done: (id) => `Поръчката се записва наново според днешните настройки: \`orderbridge order id:${id}\` показва какво става с нея.`,
  },
  proposals: {
    none: 'Никой не предлага нищо.',
    states: {
      open: 'чака',
      changed: 'настройките са променени след това',
      answered: 'вече никой не се пита',
      accepted: 'прието',
      declined: 'отхвърлено',
      replaced: 'заменено',
    },
    taken: (store, by, answers) => `Настройките на ${store} са, каквито предложи ${by}: ${answers}.`,
    one: (run, code) =>
      `Една поръчка се преценява според тях; /console/runs/${run} показва какво става с нея, а \`orderbridge release --code ${code}\` преценява останалите.`,
    declined: (by) => `Предложеното от ${by} е отхвърлено.`,
  },
  alerts: {
    nobody: 'никой не научава, когато нещо не е наред: задайте ALERT_MAIL_TO, ALERT_SLACK_URL или ALERT_WEBHOOK_URL и HEARTBEAT_URL',
    failed: (names) => `не приеха: ${names}; поправете променливата, пуснете сървъра отново и повторете пробата`,
    heartbeat: 'знак за живот',
    heartbeatTaken: 'прие знака за живот',
    none: 'През последните 30 дни нищо не е съобщавано.',
    states: { sent: 'изпратено', failed: (why) => `неуспешно: ${why}`, waiting: 'чака', waitingFor: (why) => `чака: ${why}`, beingSent: 'изпраща се' },
  },
  exports: { none: 'Никой клиент не е искал данните си.', json: '`orderbridge exports --json` показва данните.' },
  tail: {
    lost: (why) => `Базата данни не отговаря (${why}); каквото става междувременно, се показва, щом отговори.`,
    back: 'Базата данни пак отговаря.',
  },
  shop: {
    updated: (id) => `Обект ${id} е променен.`,
    deleted: (id, n) => `Обект ${id} е изтрит${n === null ? '' : ` заедно с ${ordersBg(n)}`}.`,
    refused: (status, words) => `услугата за отчитане отговори с ${status}: ${words}`,
    checkKey: '; проверете API ключа и тайната му (`orderbridge doctor`)',
  },
};
