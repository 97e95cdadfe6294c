// Drives an engine through @sabaki/gtp as Sabaki does: node sabaki_probe.js ENGINE ARGUMENTS...
// Prints one JSON object a line, {"name", "ok", "got"}; the exit status is 1 if any is not ok.
'use strict'
const {Controller, ControllerStateTracker} = require(process.env.SABAKI_GTP || '@sabaki/gtp')

const [engine, ...engineArguments] = process.argv.slice(2)
const controller = new Controller(engine, engineArguments)
const tracker = new ControllerStateTracker(controller)
let failed = false

function check(name, ok, got = null) {
  failed = failed || !ok
  console.log(JSON.stringify({name, ok, got}))
}

const send = (name, ...args) => controller.sendCommand({name, args})
const moves = (...lines) => lines.map(line => {
  const [name, ...args] = line.split(' ')
  return {name, args}
})

async function reach(name, state) {
  try {
    await tracker.sync(state)
    check(name, true)
  } catch (error) {
    check(name, false, error.message)
  }
}

async function handshake() {
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const answers = await Promise.all(names.map(name => send(name)))
  check('four commands at once', answers.every(answer => !answer.error), answers[0].content)
  check('protocol 2', answers[2].content === '2', answers[2].content)
  const commands = answers[3].content.split('\n')
  const wanted = ['boardsize', 'genmove', 'play', 'rectangular_boardsize', 'undo']
  check('commands, one a line', wanted.every(name => commands.includes(name)), commands.length)
  const numbered = await controller.sendCommand({id: 31, name: 'name'})
  check('a number comes back', numbered.id === 31 && numbered.content === 'godaemon', numbered)
  const unknown = await send('gogui-no_such_thing')
  check('an unknown command', unknown.error && unknown.content === 'unknown command', unknown)
}

async function navigation() {
  const board = {komi: 6.5, boardsize: [9, 9]}
  const line = moves('play B C3', 'play W G7', 'play B C7', 'play W pass')
  await reach('a line of moves', {...board, history: line})
  await reach('two moves back', {...board, history: line.slice(0, 2)})
  const branch = [...line.slice(0, 1), ...moves('play W G3', 'play B G7', 'play W E5')]
  await reach('another branch', {...board, history: branch})
  await reach('nothing at all', {...board, history: []})
  const handicap = moves('set_free_handicap C3 G7 E5', 'play W C7')
  await reach('handicap stones', {...board, komi: 0.5, history: handicap})
  const answer = await tracker.queueCommand({name: 'genmove', args: ['B']})
  check('a move by the engine', /^([A-HJ][1-9]|pass)$/.test(answer.content), answer.content)
  check('its move is in the history', tracker.state.history.length === 3)
  const illegal = await tracker.queueCommand({name: 'play', args: ['W', 'E5']})
  check('an illegal move', illegal.error && illegal.content === 'illegal move', illegal)
}

async function boards() {
  for (const boardsize of [[19, 19], [13, 9], [9, 13], [25, 25], [1, 5]]) {
    await reach(`a board of ${boardsize.join('x')}`, {boardsize, history: []})
  }
  await reach('time limits', {timeSettings: {mainTime: 60, byoyomiTime: 10, byoyomiStones: 3}})
}

// What Sabaki's and Lizzie's kind read out of a line: moves by `info`, then owners.
function thoughts(line) {
  const [told, owners] = line.split(/\s*ownership\s*/)
  const moves = told.split(/\s*info\s+/).slice(1).map(part => {
    const vertex = '(?:[A-HJ-Z]\\d+|pass)'
    const read = new RegExp(`^move (${vertex}) visits (\\d+) winrate ([\\d.]+) .*?order (\\d+)`
      + ` pv (${vertex}(?: ${vertex})*)$`).exec(part.trim())
    return read && {move: read[1], visits: +read[2], winrate: +read[3], order: +read[4],
      line: read[5].split(' '), lead: +(/ scoreLead (-?[\d.]+)/.exec(part) || [])[1]}
  })
  return {moves, owners: owners ? owners.trim().split(' ').map(Number) : []}
}

// Streams until three lines with thoughts have come; the next command is what ends it.
async function watch(name, ...args) {
  const seen = []
  let enough
  const streaming = new Promise(resolve => { enough = resolve })
  const answer = controller.sendCommand({name, args}, ({line}) => {
    if (/^=?\s*info /.test(line) && seen.push(thoughts(line)) === 3) enough()
  })
  await streaming
  const [ended, next] = await Promise.all([answer, send('protocol_version')])
  check(`${name} ends with the next command`, !ended.error && next.content === '2', next)
  return seen
}

async function analysis() {
  await reach('a game to analyse', {boardsize: [9, 7], history: moves('play B C3', 'play W G5')})
  const own = await watch('kata-analyze', 'B', '1', 'ownership', 'true')
  check('owners of all points', own.every(({owners}) => owners.length === 63
    && owners.every(part => part >= -1 && part <= 1)))
  const plain = await watch('lz-analyze', 'B', '1')
  for (const {moves} of [...own, ...plain]) {
    const orders = moves.every((one, at) => one && one.order === at && one.line[0] === one.move)
    check('moves in their order', moves.length > 0 && orders, moves)
  }
  check('chances', own.every(({moves}) => moves.every(one => one.winrate <= 1 && !isNaN(one.lead)))
    && plain.every(({moves}) => moves.every(one => Number.isInteger(one.winrate))))
  const visits = own.map(({moves}) => moves.reduce((sum, one) => sum + one.visits, 0))
  check('more looks each time', visits[0] < visits[1] && visits[1] < visits[2], visits)
}

async function burst() {
  const pings = Array.from({length: 1000}, () => send('protocol_version'))
  const answers = await Promise.all(pings)
  check('a thousand at once', answers.every(answer => answer.content === '2'))
}

async function farewell() {
  const started = Date.now()
  await controller.stop(180000)  // then it is killed
  check('quit ends the process', Date.now() - started < 170000, Date.now() - started)
}

async function main() {
  controller.on('stderr', ({content}) => check('silence on standard error', false, content))
  controller.start()
  for (const part of [handshake, navigation, boards, analysis, burst, farewell]) await part()
  process.exit(failed ? 1 : 0)
}

main().catch(error => {
  check('no exception', false, String(error))
  process.exit(1)
})
