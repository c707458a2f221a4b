"""Exit 0 if anything answers at a URL: python answers.py URL"""

import sys
import urllib.error
import urllib.request

try:
    urllib.request.urlopen(sys.argv[1] + "/_ministack/health", timeout=5).close()
except urllib.error.HTTPError:
    pass  # an answer all the same
except OSError:
    sys.exit(1)
