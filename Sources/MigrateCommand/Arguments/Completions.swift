internal import SeedbedOptions

/// Completions for shells, made from the declarations of the verbs.
struct Completions {
  enum Shell: String, CaseIterable, Sendable { case bash, zsh, fish }

  let program: String

  func script(for shell: Shell) -> String {
    let head = "Completions for \(shell.rawValue), printed by: \(program) help --completions "
    let (mark, script) =
      switch shell {
      case .bash: ("", bash)
      case .zsh: ("#compdef \(program)\n", zsh)
      case .fish: ("", fish)
      }
    return "\(mark)# \(head)\(shell.rawValue)\n\(script)"
  }

  /// Each option once, in the order of the help.
  private var allOptions: [VerbOption] {
    var seen: Set<String> = []
    return Verb.all.flatMap(\.allOptions).filter { seen.insert($0.name).inserted }
  }

  private var verbNames: [String] { Verb.all.map(\.name) }
  private var helpWords: String { (verbNames + [HelpPage.topic]).joined(separator: " ") }

  /// The options after which the next word is a value, not a verb.
  private var optionsWithValue: [String] {
    allOptions.filter { !$0.isSwitch && !$0.isValueOptional }.map(\.spelling)
  }

  private func spellings(_ options: [VerbOption]) -> String {
    options.map(\.spelling).joined(separator: " ")
  }

  // MARK: bash

  /// Values without listed words are completed with file names. The script runs in bash 3.2, which
  /// Macs have.
  private var bash: String {
    let choices = allOptions.filter { !$0.kind.choices.isEmpty }.map {
      "    \($0.spelling)) words='\($0.kind.choices.joined(separator: " "))' ;;\n"
    }
    let withValue = optionsWithValue.joined(separator: "|")
    let own = Verb.all.map { verb in
      let less = verb.takesCommonOptions ? "" : " common='\(spellings(VerbOption.last))'"
      return "          \(verb.name)) words='\(spellings(verb.options))'\(less) ;;\n"
    }
    let common = spellings(VerbOption.common + VerbOption.last)
    return """
      _\(program)() {
        local word=${COMP_WORDS[COMP_CWORD]} verb='' words='' i
        local common='\(common)'
        case ${COMP_WORDS[COMP_CWORD - 1]} in
      \(choices.joined())    \(withValue)) return ;;
          *)
            for ((i = 1; i < COMP_CWORD; i++)); do
              case ${COMP_WORDS[i]} in
                \(withValue)) i=$((i + 1)) ;;
                -*) ;;
                *) verb=${COMP_WORDS[i]}; break ;;
              esac
            done
            if [[ $word == -* ]]; then
              case $verb in
      \(own.joined())        esac
              words="$words $common"
            elif [[ -z $verb ]]; then
              words='\(verbNames.joined(separator: " "))'
            elif [[ $verb == help ]]; then
              words='\(helpWords)'
            fi ;;
        esac
        COMPREPLY=($(compgen -W "$words" -- "$word"))
      }
      complete -o default -F _\(program) \(program)

      """
  }

  // MARK: zsh

  private var zsh: String {
    let verbs = Verb.all.map { "    '\($0.name):\($0.summary.shellQuoted)'\n" }
    let common = (VerbOption.common + VerbOption.last).map { "    \(zsh($0))\n" }
    let own = Verb.all.filter(\.takesCommonOptions).map { verb in
      let words = verb.options.map { " " + zsh($0) }.joined()
      return "        \(verb.name)) _arguments $common\(words) '*: :_files' ;;\n"
    }
    let help = Verb.help.allOptions.map { " " + zsh($0) }.joined()
    return """
      _\(program)() {
        local context state line
        local -a verbs common
        verbs=(
      \(verbs.joined())  )
        common=(
      \(common.joined())  )
        _arguments -C $common '1:verb:->verb' '*::: :->rest' && return
        case $state in
          verb) _describe verb verbs ;;
          rest)
            words=($line[1] $words)
            ((CURRENT += 1))
            case $line[1] in
      \(own.joined())        help) _arguments\(help) '1:verb:(\(helpWords))' ;;
            esac ;;
        esac
      }
      # As a file of its own, its first call is by the name of the file.
      if [[ $funcstack[1] == _\(program) ]]; then
        _\(program) "$@"
      else
        compdef _\(program) \(program)
      fi

      """
  }

  /// `'--keep=[keep the backups of the last N versions]:N: '`
  private func zsh(_ option: VerbOption) -> String {
    let escaped = option.help.replacing("]", with: "\\]").replacing(":", with: "\\:").shellQuoted
    guard let placeholder = option.placeholder else { return "'\(option.spelling)[\(escaped)]'" }
    let action =
      !option.kind.choices.isEmpty
      ? "(\(option.kind.choices.joined(separator: " ")))" : option.isPath ? "_files" : " "
    // Two colons: the value may be left out.
    let colon = option.isValueOptional ? "::" : ":"
    return "'\(option.spelling)=[\(escaped)]\(colon)\(placeholder):\(action)'"
  }

  // MARK: fish

  private var fish: String {
    let verbs = Verb.all.map {
      "complete -c \(program) -n 'not __\(program)_verb >/dev/null' -f -a \($0.name) "
        + "-d '\($0.summary.shellQuoted)'\n"
    }
    let own = Verb.all.flatMap { verb in
      verb.options.map { fish($0, " -n 'contains \(verb.name) (__\(program)_verb)'") }
    }
    let common = (VerbOption.common + VerbOption.last).map { fish($0, "") }
    return """
      function __\(program)_verb
          set -l words (commandline -opc)
          set -e words[1]
          while set -q words[1]
              switch $words[1]
                  case \(optionsWithValue.joined(separator: " "))
                      set -q words[2]; or return 0
                      set -e words[1]
                  case '-*'
                  case '*'
                      echo $words[1]
                      return 0
              end
              set -e words[1]
          end
          return 1
      end
      \(verbs.joined())\(own.joined())\(common.joined())\
      complete -c \(program) -n 'contains help (__\(program)_verb)' -f -a '\(helpWords)'

      """
  }

  private func fish(_ option: VerbOption, _ condition: String) -> String {
    let value =
      option.isSwitch || option.isValueOptional
      ? ""
      : !option.kind.choices.isEmpty
        ? " -x -a '\(option.kind.choices.joined(separator: " "))'"
        : option.isPath ? " -r -F" : " -x"
    return "complete -c \(program)\(condition) -l \(option.name)\(value) "
      + "-d '\(option.help.shellQuoted)'\n"
  }
}

extension String {
  /// Escaped for use between single quotes. POSIX shells, zsh and fish agree on this spelling.
  fileprivate var shellQuoted: String { replacing("'", with: "'\\''") }
}
