import java.util.Scanner;

/** What goes on after Database.open(): the app's statements, and what Java does with signals. */
class Main {
  static class Node {
    int value;
    Node next;
  }

  static int sum;

  /** Compiled without a comparison with null: the machine's fault is the check. */
  static int read(Node node) {
    return node.value;
  }

  static int deep(int n) {
    return 1 + deep(n + 1);
  }

  public static void main(String[] words) throws Exception {
    var app = Database.open(words[0], words[1], words[2], words[3]);
    var input = new Scanner(System.in);
    while (input.hasNextLine()) {
      try (var statement = app.createStatement()) {
        if (statement.execute(input.nextLine())) {
          try (var rows = statement.getResultSet()) {
            while (rows.next()) System.out.println(rows.getString(1));
          }
        }
      }
    }
    var there = new Node();
    var caught = 0;
    for (var round = 0; round < 200; round++) {
      for (var i = 0; i < 20_000; i++) sum += read(there);
      try {
        sum += read(null);
      } catch (NullPointerException error) {
        caught++;
      }
    }
    // The end of the stack is a page whose fault is the error.
    try {
      deep(0);
    } catch (StackOverflowError error) {
      caught++;
    }
    var threads = new Thread[8];
    for (var i = 0; i < threads.length; i++) {
      threads[i] = new Thread(() -> {
        Node list = null;
        for (var n = 0; n < 300_000; n++) {
          var node = new Node();
          node.next = n % 1000 == 0 ? null : list;
          list = node;
        }
      });
      threads[i].start();
    }
    for (var i = 0; i < 20; i++) System.gc();
    for (var thread : threads) thread.join();
    app.close();
    if (caught == 201) System.out.println("well");
  }
}
